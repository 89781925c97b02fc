# Everything that a machine with cargo, gcc, make, node and npm needs to run luozi and to test it.

WEB := host/venue/web
BROWSER := tests/browser
DEMO_FLAGS ?=

.PHONY: run demo build pages test tools rust-test pages-test browser-test package arm64 pi fabrication lint clean

# Builds pages and binary, and starts the demo. DEMO_FLAGS="--port 9000 --speed 10" changes it.
run: pages
	cargo run --release --locked --package luozi -- demo $(DEMO_FLAGS)

demo: run

build: pages
	cargo build --release --locked --package luozi

# The pages that the binary embeds.
pages: $(WEB)/dist/index.html

$(WEB)/node_modules/.package-lock.json: $(WEB)/package.json $(WEB)/package-lock.json
	cd $(WEB) && npm ci --no-audit --no-fund
	touch $@

$(WEB)/dist/index.html: $(WEB)/node_modules/.package-lock.json $(shell find $(WEB)/src $(WEB)/public $(WEB)/fonts $(WEB)/index.html $(WEB)/vite.config.ts -type f)
	cd $(WEB) && npm run build
	touch $@

# All tests, `make arm64` and `make pi` among them where their tools are. The last lines are those of cargo test.
test: tools lint pages
	.ci/test

# Debian's packages that tests talk to: installed where they are missing and may be installed.
tools:
	.ci/tools
	.ci/nats

lint:
	cargo fmt --all --check
	.ci/deny

pages-test: $(WEB)/node_modules/.package-lock.json
	cd $(WEB) && npm run check

browser-test: pages $(BROWSER)/node_modules/.package-lock.json
	cd $(BROWSER) && npm test

$(BROWSER)/node_modules/.package-lock.json: $(BROWSER)/package.json $(BROWSER)/package-lock.json
	cd $(BROWSER) && npm ci --no-audit --no-fund
	touch $@

# The Debian package, installed into a fresh Debian root and removed from it.
package: pages
	cargo build --locked --package luozi
	@command -v cargo-deb >/dev/null || [ -x $${CARGO_TARGET_DIR:-target}/tools/bin/cargo-deb ] || \
		cargo install --quiet --locked --root $${CARGO_TARGET_DIR:-target}/tools cargo-deb || true
	.ci/package

# A simulated game and the core crates' tests on ARM64, under emulation.
arm64: pages
	.ci/arm64

# The daemon on an emulated Raspberry Pi 3, its pins driven from outside by the twin: a whole game.
pi: pages
	.ci/pi

# Gerbers, drill files, schematics as PDF and pictures of both printed boards; needs KiCad 9.
fabrication:
	python3 -B hardware/design/fabrication.py $${CARGO_TARGET_DIR:-target}/fabrication

rust-test: pages
	cargo test --workspace --locked --no-fail-fast

clean:
	cargo clean
	rm -rf $(WEB)/dist $(WEB)/node_modules $(BROWSER)/node_modules
