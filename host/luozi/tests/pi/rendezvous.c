// A plugin of qemu (its interface 4, so qemu 9.2 or later): the emulated processor waits whenever a program sets or clears
// a pin, until the board outside has answered. So a board model is never too late, however busy the machine is.
//
// Twelve bytes go to the socket that `socket=` names: the physical address, 8 bytes, and the word, 4 bytes, in the order
// of this machine. One byte comes back when the answer stands at the pins.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// What of the interface is used; qemu resolves it when it loads the plugin.
struct tb;
struct insn;
struct hwaddr;
typedef struct {
    int type;
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        struct {
            uint64_t low, high;
        } u128;
    } data;
} value_t;
typedef void (*translated_t)(uint64_t id, struct tb *tb);
typedef void (*accessed_t)(unsigned cpu, uint32_t info, uint64_t at, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated_t call);
size_t qemu_plugin_tb_n_insns(const struct tb *tb);
struct insn *qemu_plugin_tb_get_insn(const struct tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct insn *insn);
void qemu_plugin_register_vcpu_mem_cb(struct insn *insn, accessed_t call, int registers, int access, void *data);
struct hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t at);
bool qemu_plugin_hwaddr_is_io(const struct hwaddr *address);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct hwaddr *address);
value_t qemu_plugin_mem_get_value(uint32_t info);

enum { NO_REGISTERS = 0, WRITES = 2 };
// The second half of the addresses is the kernel's.
static const uint64_t KERNEL = 1ull << 48;
static const uint64_t GPSET0 = 0x3f20001c, GPCLR0 = 0x3f200028;

__attribute__((visibility("default"))) int qemu_plugin_version = 4;

static int outside = -1;

static void written(unsigned cpu, uint32_t info, uint64_t at, void *data) {
    (void)cpu, (void)data;
    struct hwaddr *address = qemu_plugin_get_hwaddr(info, at);
    if (outside < 0 || !address || !qemu_plugin_hwaddr_is_io(address)) return;
    uint64_t physical = qemu_plugin_hwaddr_phys_addr(address);
    if (physical != GPSET0 && physical != GPCLR0) return;
    uint32_t word = qemu_plugin_mem_get_value(info).data.u32;
    uint8_t message[12], answered;
    memcpy(message, &physical, sizeof physical);
    memcpy(message + sizeof physical, &word, sizeof word);
    // A board that is gone answers nobody: the machine runs on and can be shut down.
    if (write(outside, message, sizeof message) != sizeof message || read(outside, &answered, 1) != 1) {
        close(outside);
        outside = -1;
    }
}

static void translated(uint64_t id, struct tb *tb) {
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(tb);
    for (size_t i = 0; i < count; i++) {
        struct insn *insn = qemu_plugin_tb_get_insn(tb, i);
        if (qemu_plugin_insn_vaddr(insn) < KERNEL)
            qemu_plugin_register_vcpu_mem_cb(insn, written, NO_REGISTERS, WRITES, NULL);
    }
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *machine, int count, char **arguments) {
    (void)machine;
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const char *path = count == 1 && !strncmp(arguments[0], "socket=", 7) ? arguments[0] + 7 : "";
    if (!*path || strlen(path) >= sizeof name.sun_path) return 1;
    strcpy(name.sun_path, path);
    outside = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (outside < 0 || connect(outside, (struct sockaddr *)&name, sizeof name)) return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
