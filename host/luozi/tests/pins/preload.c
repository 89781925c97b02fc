// Makes a process believe that it runs on a Raspberry Pi 3, so that the real GPIO and SPI code of the daemon can be run on
// any x86-64 Linux: cc -shared -fPIC -O2 -o preload.so preload.c; LUOZI_WIRES=FILE LD_PRELOAD=./preload.so luozi board
//
// FILE is shared with the test, which says what the reeds and buttons do and sees what lamps and displays were told
// (struct wires, mirrored in wires.rs). The register page of the GPIOs cannot be touched: every access faults, is
// single-stepped with the page open, and is understood before the page is closed again. One thread may use GPIOs.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/spi/spidev.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

struct wires {
    // The test says:
    uint32_t reeds[10];       // for each row, bit c: the reed at column c is closed
    uint32_t grounded;        // pins that a button closes to ground
    uint32_t serial;          // the variant: 0 direct, 1 shift registers
    uint32_t row_pin[10];     // direct
    uint32_t column_pin[9];   // direct
    uint32_t load_pin;        // serial
    uint32_t chain_select;    // serial: the chip select of the registers
    uint32_t display_select;
    uint32_t chain_fails;     // transfers of the registers fail
    // The board says:
    uint32_t latch;           // what outputs are told
    uint32_t outputs;         // which pins are outputs
    uint32_t scans;           // how often row 0 was driven
    uint32_t display[2][16];  // registers of the displays, the nearer one first
};

enum { GPFSEL0 = 0x00, GPSET0 = 0x1c, GPCLR0 = 0x28, GPLEV0 = 0x34, GPPUD = 0x94, GPPUDCLK0 = 0x98, PAGE = 4096 };
enum { PULL_NONE = 0, PULL_DOWN = 1, PULL_UP = 2 };

static volatile struct wires *wires;
static uint8_t *page;
static int gpiomem_fd = -1, chip_fd = -1, spi_fd[2] = {-1, -1};
static uint8_t pull[28];
static uint32_t noise = 1;
static uint16_t rows, columns;
static uint32_t register_of_step;
static int step_writes;

static uint32_t *reg(uint32_t offset) { return (uint32_t *)(page + offset); }

static uint32_t outputs(void) {
    uint32_t pins = 0;
    for (int pin = 0; pin < 28; pin++)
        if ((*reg(GPFSEL0 + pin / 10 * 4) >> pin % 10 * 3 & 7) == 1) pins |= 1u << pin;
    return pins;
}

// Columns that rows pull up through closed reeds; the diodes keep rows apart.
static uint32_t columns_of(uint32_t driven) {
    uint32_t high = 0;
    for (int row = 0; row < 10; row++)
        if (driven >> row & 1) high |= wires->reeds[row];
    return high;
}

static uint32_t levels(void) {
    uint32_t out = outputs(), latch = wires->latch, driven = 0, level = 0;
    if (!wires->serial)
        for (int row = 0; row < 10; row++)
            driven |= (out & latch) >> wires->row_pin[row] & 1 ? 1u << row : 0;
    uint32_t high = columns_of(driven);
    noise = noise * 1664525 + 1013904223;
    for (int pin = 0; pin < 28; pin++) {
        uint32_t bit = 1u << pin, on;
        if (out & bit) on = latch & bit;
        else if (wires->grounded & bit) on = 0;
        else {
            int column = -1;
            if (!wires->serial)
                for (int c = 0; c < 9; c++)
                    if (wires->column_pin[c] == (uint32_t)pin) column = c;
            if (column >= 0 && high >> column & 1) on = 1;
            else if (pin == 2 || pin == 3) on = 1;
            else if (pull[pin] == PULL_NONE) on = noise >> 16 & 1;  // a wire in the air
            else on = pull[pin] == PULL_UP;
        }
        if (on) level |= bit;
    }
    return level;
}

static void written(uint32_t offset, uint32_t value) {
    uint32_t before = wires->latch;
    switch (offset) {
    case GPSET0: wires->latch = before | value; break;
    case GPCLR0: wires->latch = before & ~value; break;
    case GPPUDCLK0:
        for (int pin = 0; pin < 28; pin++)
            if (value >> pin & 1) pull[pin] = *reg(GPPUD) & 3;
        break;
    }
    uint32_t rose = wires->latch & ~before;
    if (!wires->serial && rose >> wires->row_pin[0] & 1) wires->scans++;
    if (wires->serial && !(wires->latch >> wires->load_pin & 1)) columns = columns_of(rows);
    wires->outputs = outputs();
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    ucontext_t *at = context;
    uint8_t *address = info->si_addr;
    if (!page || address < page || address >= page + PAGE) {
        // Not ours: let it be the crash that it is.
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(signal, &usual, 0);
        return;
    }
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    register_of_step = address - page;
    step_writes = at->uc_mcontext.gregs[REG_ERR] & 2;
    *reg(GPLEV0) = levels();
    at->uc_mcontext.gregs[REG_EFL] |= 0x100;
}

static void on_step(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    ucontext_t *at = context;
    at->uc_mcontext.gregs[REG_EFL] &= ~0x100;
    if (step_writes) written(register_of_step, *reg(register_of_step));
    mprotect(page, PAGE, PROT_NONE);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("LUOZI_WIRES");
    int fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
    if (fd < 0) _exit(99);
    wires = mmap(0, sizeof *wires, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (wires == MAP_FAILED) _exit(98);
    // Rust leaves handlers alone that are there before it.
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGSEGV, &fault, 0);
    sigaction(SIGTRAP, &step, 0);
}

static int stand_in(void) { return syscall(SYS_memfd_create, "stand-in", MFD_CLOEXEC); }

static int opened(const char *path, int flags, mode_t mode) {
    static const char model[] = "raspberrypi,3-model-b\0brcm,bcm2837";
    if (!strcmp(path, "/dev/gpiomem")) return gpiomem_fd = stand_in();
    if (!strcmp(path, "/dev/gpiochip0")) return chip_fd = stand_in();
    if (!strncmp(path, "/dev/spidev0.", 13) && (path[13] == '0' || path[13] == '1'))
        return spi_fd[path[13] - '0'] = stand_in();
    if (!strcmp(path, "/sys/firmware/devicetree/base/compatible")) {
        int fd = stand_in();
        if (write(fd, model, sizeof model) < 0) return -1;
        lseek(fd, 0, SEEK_SET);
        return fd;
    }
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    if (fd >= 0 && fd == gpiomem_fd && !page) {
        void *got = (void *)syscall(SYS_mmap, 0, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return page = got;
    }
    return (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    return mmap(at, length, protection, flags, fd, offset);
}

// One chip select of the bus: bytes go out and come in, then select rises.
static int transfer(int select, const struct spi_ioc_transfer *segments, int count) {
    int chain = wires->serial && select == (int)wires->chain_select;
    if (chain && wires->chain_fails) {
        errno = EIO;
        return -1;
    }
    uint8_t shifted[64];
    int length = 0, all = 0;
    for (int s = 0; s < count; s++) {
        const uint8_t *out = (const uint8_t *)(uintptr_t)segments[s].tx_buf;
        uint8_t *in = (uint8_t *)(uintptr_t)segments[s].rx_buf;
        for (uint32_t i = 0; i < segments[s].len; i++, all++) {
            uint8_t byte = out ? out[i] : 0, back = 0;
            if (chain) {
                back = columns >> 8;
                columns <<= 8;
                rows = rows << 8 | byte;
            } else if (length < (int)sizeof shifted)
                shifted[length++] = byte;
            if (in) in[i] = back;
        }
    }
    if (chain && rows & 1) wires->scans++;
    if (!chain && select == (int)wires->display_select)
        for (int chip = 0; chip < 2 && length >= 2 * (chip + 1); chip++) {
            uint8_t address = shifted[length - 2 * chip - 2] & 15;
            if (address) wires->display[chip][address] = shifted[length - 2 * chip - 1];
        }
    return all;
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (fd >= 0 && fd == chip_fd && request == GPIO_GET_CHIPINFO_IOCTL) {
        struct gpiochip_info *info = argument;
        memset(info, 0, sizeof *info);
        strcpy(info->name, "gpiochip0");
        strcpy(info->label, "pinctrl-bcm2835");
        info->lines = 54;
        return 0;
    }
    for (int select = 0; select < 2; select++)
        if (fd >= 0 && fd == spi_fd[select]) {
            if (_IOC_TYPE(request) != SPI_IOC_MAGIC) break;
            if (_IOC_NR(request) != 0) return 0;  // mode and speed are taken as they come
            return transfer(select, argument, _IOC_SIZE(request) / sizeof(struct spi_ioc_transfer));
        }
    return syscall(SYS_ioctl, fd, request, argument);
}
