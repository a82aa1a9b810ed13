package main

import x86 "github.com/mmcloughlin/avo/build"

// A step is a one-dimensional transform of Winograd's F(3,3) with the points 0,
// 1, -1, 2 and infinity (Lavin and Gray 2016). A tile of 3x3 outputs reads a
// patch of 5x5 inputs d and is
//
//	Y = A^T [ (G w G^T) . (B^T d B) ] A
//
// so each two-dimensional transform is a step on the rows and the same step on
// the columns. ../../winograd.go has the matrices.
type step func(k constants, in []vec) []vec

// constants are registers that hold a number in every lane.
type constants struct {
	isa
	of map[float32]vec
}

func (v isa) constants(numbers ...float32) constants {
	k := constants{isa: v, of: map[float32]vec{}}
	for _, c := range numbers {
		k.of[c] = v.constant(c)
	}
	return k
}

// The numbers in the matrices.
const (
	half      = float32(1. / 2)
	sixth     = float32(1. / 6)
	third     = float32(1. / 3)
	twoThirds = float32(2. / 3)
)

// inputStep is B^T d.
func inputStep(k constants, d []vec) []vec {
	odd, r0, r1, r2, r4 := k.reg(), k.reg(), k.reg(), k.reg(), k.reg()
	x86.VSUBPS(d[1], d[3], odd)
	x86.VSUBPS(d[2], d[0], r0)
	x86.VFMADD213PS(odd, k.of[2], r0)
	x86.VSUBPS(d[2], d[4], r4)
	x86.VFNMADD231PS(k.of[2], odd, r4)
	x86.VADDPS(d[1], d[2], r1)
	x86.VSUBPS(d[2], d[1], r2)
	x86.VSUBPS(r1, odd, r1)
	x86.VFMADD213PS(odd, k.of[3], r2)
	return []vec{r0, r1, r2, odd, r4}
}

// outputStep is A^T m.
func outputStep(k constants, m []vec) []vec {
	sum, diff, r0 := k.reg(), k.reg(), k.reg()
	x86.VADDPS(m[1], m[2], sum)
	x86.VSUBPS(m[2], m[1], diff)
	x86.VADDPS(m[0], sum, r0)
	x86.VADDPS(m[3], r0, r0)
	x86.VFMADD231PS(k.of[2], m[3], diff)
	x86.VFMADD231PS(k.of[4], m[3], sum)
	x86.VADDPS(m[4], sum, sum)
	return []vec{r0, diff, sum}
}

// gradientStep is A y, the transpose of outputStep.
func gradientStep(k constants, y []vec) []vec {
	even, r1, r2, r3 := k.reg(), k.reg(), k.reg(), k.reg()
	x86.VADDPS(y[0], y[2], even)
	x86.VADDPS(y[1], even, r1)
	x86.VSUBPS(y[1], even, r2)
	x86.VMOVAPS(y[0], r3)
	x86.VFMADD231PS(k.of[2], y[1], r3)
	x86.VFMADD231PS(k.of[4], y[2], r3)
	return []vec{y[0], r1, r2, r3, y[2]}
}

// weightStep is G w.
func weightStep(k constants, w []vec) []vec {
	even, r0, r1, r2, r3 := k.reg(), k.reg(), k.reg(), k.reg(), k.reg()
	x86.VMULPS(k.of[half], w[0], r0)
	x86.VADDPS(w[0], w[2], even)
	x86.VADDPS(w[1], even, r1)
	x86.VMULPS(k.of[-half], r1, r1)
	x86.VSUBPS(even, w[1], r2)
	x86.VMULPS(k.of[sixth], r2, r2)
	x86.VMULPS(k.of[sixth], w[0], r3)
	x86.VFMADD231PS(k.of[third], w[1], r3)
	x86.VFMADD231PS(k.of[twoThirds], w[2], r3)
	return []vec{r0, r1, r2, r3, w[2]}
}

// weightGradientStep is G^T u, the transpose of weightStep.
func weightGradientStep(k constants, u []vec) []vec {
	r0, r1, r2 := k.reg(), k.reg(), k.reg()
	x86.VMULPS(k.of[-half], u[1], r1)
	x86.VMOVAPS(r1, r0)
	x86.VFMADD231PS(k.of[half], u[0], r0)
	x86.VFNMADD231PS(k.of[sixth], u[2], r0)
	x86.VFMADD231PS(k.of[sixth], u[3], r0)
	x86.VADDPS(u[4], r1, r2)
	x86.VFNMADD231PS(k.of[sixth], u[2], r2)
	x86.VFMADD231PS(k.of[twoThirds], u[3], r2)
	x86.VFMADD231PS(k.of[sixth], u[2], r1)
	x86.VFMADD231PS(k.of[third], u[3], r1)
	return []vec{r0, r1, r2}
}
