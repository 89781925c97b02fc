//! Embeds the pages again when they have been built again.

fn main() {
    println!("cargo:rerun-if-changed=web/dist");
}
