package kernel

import (
	"fmt"
	"testing"
)

func TestPanelEqualsDefinition(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(41)
		for _, size := range sizes(rng) {
			rows, k, n := size[0], size[1], size[2]
			p := NewPanel(k, n)
			lda, ldd := k+rng.IntN(20), p.Stride()+rng.IntN(20)
			b, bias, a := normals(rng, k*n), normals(rng, n), normals(rng, rows*lda)
			relu := rng.IntN(2) > 0
			if rng.IntN(3) == 0 {
				bias = nil
			}
			p.Pack(b, bias)
			dst := guarded(rows * ldd)
			p.Mul(dst, ldd, a, lda, rows, relu)
			checkGuard(t, dst)

			name := fmt.Sprintf("%d rows of %d by %d bias=%t relu=%t", rows, k, n, bias != nil, relu)
			var got []float32
			var want []float64
			for r := range rows {
				row := referenceProduct(double(a[r*lda:][:k]), double(b), 1, k, n)
				for j := range row {
					if bias != nil {
						row[j] += float64(bias[j])
					}
					if relu {
						row[j] = max(row[j], 0)
					}
				}
				got, want = append(got, dst[r*ldd:][:n]...), append(want, row...)
				checkSame(t, name+" padding", dst[r*ldd+n:(r+1)*ldd], make([]float32, ldd-n))

				one := Alloc(p.Stride())
				p.Mul(one, p.Stride(), a[r*lda:], lda, 1, relu)
				checkSame(t, name+" row alone", one, dst[r*ldd:][:p.Stride()])
			}
			checkClose(t, name, got, want)
		}
	})
}

func TestPanelStride(t *testing.T) {
	for _, c := range []struct{ n, want int }{{1, 16}, {16, 16}, {17, 32}, {32, 32}, {33, 48}, {64, 64}} {
		if got := NewPanel(4, c.n).Stride(); got != c.want {
			t.Errorf("%d columns: stride %d, want %d", c.n, got, c.want)
		}
	}
}

func TestPanelDoesNotAllocate(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		rng := newRand(42)
		p, b, bias := NewPanel(64, 40), normals(rng, 64*40), normals(rng, 40)
		a, dst := normals(rng, 81*64), Alloc(81*p.Stride())
		allocations := testing.AllocsPerRun(10, func() {
			p.Pack(b, bias)
			p.Mul(dst, p.Stride(), a, 64, 81, true)
		})
		if allocations > 0 {
			t.Errorf("%v allocations", allocations)
		}
	})
}
