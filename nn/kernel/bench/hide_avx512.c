// Makes a program believe that the processor has no AVX-512 and no AMX, to hold a library to AVX2 that chooses its code by the CPUID
// instruction and has no switch of its own. Linux on x86-64, on processors that can fault on CPUID (cpuid_fault in /proc/cpuinfo):
//
//   gcc -O1 -shared -fPIC -o hide_avx512.so hide_avx512.c -ldl
//   LD_PRELOAD=$PWD/hide_avx512.so program
//
// The kernel sends SIGSEGV for each CPUID; the handler executes it, clears the bits and goes on behind it.
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define ARCH_SET_CPUID 0x1012

static long allow(unsigned long yes) { return syscall(SYS_arch_prctl, ARCH_SET_CPUID, yes); }

static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);

// Features by the bits of Intel's manual, volume 2A, CPUID.
static void hide(unsigned leaf, unsigned sub, unsigned *a, unsigned *b, unsigned *c, unsigned *d) {
	if (leaf == 7 && sub == 0) {
		*b &= ~(1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 30 | 1u << 31); // F DQ IFMA PF ER CD BW VL
		*c &= ~(1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14);                                 // VBMI VBMI2 VNNI BITALG VPOPCNTDQ
		*d &= ~(1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25); // 4VNNIW 4FMAPS VP2INTERSECT AMX-BF16 FP16 AMX-TILE AMX-INT8
	}
	if (leaf == 7 && sub == 1) *a &= ~(1u << 5 | 1u << 21); // BF16 AMX-FP16
}

static void on_fault(int sig, siginfo_t *info, void *context) {
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
	const unsigned char *code = (const unsigned char *)r[REG_RIP];
	(void)info;
	if (code[0] != 0x0f || code[1] != 0xa2) { // a real fault: let it happen again without us
		struct sigaction none = {.sa_handler = SIG_DFL};
		real_sigaction(sig, &none, NULL);
		return;
	}
	unsigned leaf = r[REG_RAX], sub = r[REG_RCX], a, b, c, d;
	allow(1);
	__cpuid_count(leaf, sub, a, b, c, d);
	allow(0);
	hide(leaf, sub, &a, &b, &c, &d);
	r[REG_RAX] = a, r[REG_RBX] = b, r[REG_RCX] = c, r[REG_RDX] = d;
	r[REG_RIP] += 2;
}

// Programs such as node reset the handlers when they start: ours stays.
int sigaction(int sig, const struct sigaction *act, struct sigaction *old) {
	if (!real_sigaction) *(void **)&real_sigaction = dlsym(RTLD_NEXT, "sigaction");
	return sig == SIGSEGV ? 0 : real_sigaction(sig, act, old);
}

__attribute__((constructor)) static void start(void) {
	struct sigaction s = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
	*(void **)&real_sigaction = dlsym(RTLD_NEXT, "sigaction");
	real_sigaction(SIGSEGV, &s, NULL);
	if (allow(0) != 0) {
		fputs("hide_avx512: this processor or kernel cannot fault on CPUID\n", stderr);
		_exit(1);
	}
}
