#include "textflag.h"

// func minBytesAVX2(dst, src *byte, n int)
// n is a multiple of 16.
TEXT ·minBytesAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX

loop:
	CMPQ    CX, $32
	JLT     tail
	VMOVDQU (SI), Y0
	VPMINUB (DI), Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $32, CX
	JMP     loop

tail:
	CMPQ    CX, $16
	JLT     done
	VMOVDQU (SI), X0
	VPMINUB (DI), X0, X0
	VMOVDQU X0, (DI)

done:
	VZEROUPPER
	RET
