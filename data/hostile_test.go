package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"runtime"
	"testing"
)

// repair makes every checksum and shard id in the bytes right, as far as they look like a shard, so that what lies behind the checksums is
// tested.
func repair(content []byte) []byte {
	out := bytes.Clone(content)
	le := binary.LittleEndian
	if len(out) < headerPrefix {
		return out
	}
	at := int(le.Uint16(out[10:]))
	if at < headerFixed+4 || at > len(out) {
		return out
	}
	id := crc32.Checksum(out[:at-4], castagnoli)
	le.PutUint32(out[at-4:], id)
	for len(out)-at >= blockHeader && string(out[at:at+4]) == blockMagic {
		end := at + blockHeader + int(le.Uint32(out[at+24:]))
		if end > len(out) {
			return out
		}
		le.PutUint32(out[at+4:], id)
		le.PutUint32(out[at+28:], blockChecksum(out[at:at+28], out[at+blockHeader:end]))
		at = end
	}
	tail := len(out) - trailerLen
	if tail < at+indexHeader || string(out[at:at+4]) != indexMagic {
		return out
	}
	le.PutUint32(out[at+4:], id)
	le.PutUint32(out[at+16:], blockChecksum(out[at:at+16], out[at+indexHeader:tail]))
	le.PutUint32(out[tail+16:], id)
	le.PutUint32(out[tail+20:], crc32.Checksum(out[tail:tail+20], castagnoli))
	return out
}

// TestRepair: the helper changes nothing in a good shard and undoes damage to checksums.
func TestRepair(t *testing.T) {
	_, sealed, _, ends := smallShard(t)
	damaged := bytes.Clone(sealed)
	for _, at := range []int{ends[0] - 1, ends[0] + 28, ends[1] + 5, ends[3] + 17, len(sealed) - 10} {
		damaged[at] ^= 0xFF
	}
	if !bytes.Equal(repair(sealed), sealed) || !bytes.Equal(repair(damaged), sealed) {
		t.Fatal("repair does not give the good shard")
	}
}

// TestClaims: numbers beyond the limits, under right checksums, are refused before anything is allocated for them.
func TestClaims(t *testing.T) {
	_, sealed, _, ends := smallShard(t)
	le := binary.LittleEndian
	u32 := func(at int, v uint32) func([]byte) { return func(b []byte) { le.PutUint32(b[at:], v) } }
	u16 := func(at int, v uint16) func([]byte) { return func(b []byte) { le.PutUint16(b[at:], v) } }
	index, tail := ends[3], len(sealed)-trailerLen
	for _, c := range []struct {
		name   string
		change func([]byte)
		want   error
	}{
		{"header length 0", u16(10, 0), ErrHeader},
		{"header length 65535", u16(10, math.MaxUint16), ErrHeader},
		{"board 10x5", func(b []byte) { b[12] = 10 }, ErrHeader},
		{"too many walls", func(b []byte) { b[14] = 17 }, ErrHeader},
		{"unknown rules", func(b []byte) { b[15] = 2 }, ErrHeader},
		{"ply cap", u32(16, MaxPlies+1), ErrHeader},
		{"name too long", func(b []byte) { b[52]++ }, ErrHeader},
		{"no games in a block", u32(ends[0]+16, 0), ErrLimit},
		{"too many games in a block", u32(ends[0]+16, BlockGames+1), ErrLimit},
		{"block number", u32(ends[0]+8, math.MaxUint32), ErrLimit},
		{"first game", u32(ends[0]+12, math.MaxUint32), ErrLimit},
		{"4 GB of content", u32(ends[0]+20, math.MaxUint32), ErrLimit},
		{"8 MB of content in few bytes", u32(ends[0]+20, maxBlockRaw), ErrFormat},
		{"4 GB payload", u32(ends[0]+24, math.MaxUint32), ErrLimit},
		{"index at the end of time", func(b []byte) { le.PutUint64(b[tail:], math.MaxUint64) }, ErrFormat},
		{"index elsewhere", func(b []byte) { le.PutUint64(b[tail:], uint64(ends[2])) }, ErrFormat},
		{"4 billion blocks", u32(tail+8, math.MaxUint32), ErrLimit},
		{"4 billion games", u32(tail+12, math.MaxUint32), ErrLimit},
		{"a million games", u32(tail+12, MaxShardGames), ErrFormat},
		{"4 GB of index", u32(index+8, math.MaxUint32), ErrLimit},
		{"32 MB of index in few bytes", u32(index+8, maxIndexRaw), ErrFormat},
		{"index payload", u32(index+12, math.MaxUint32), ErrFormat},
	} {
		content := bytes.Clone(sealed)
		c.change(content)
		content = repair(content)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readAny(content)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 2*maxIndexRaw {
			t.Errorf("%s: %d bytes allocated", c.name, grown)
		}
		if _, faults := verifyBytes("x.rgz", content); len(faults) == 0 {
			t.Errorf("%s: Verify finds nothing", c.name)
		}
	}
}

// TestFalseBeginnings: a file full of what looks like the beginning of a block is given up in bounded time.
func TestFalseBeginnings(t *testing.T) {
	h := newHeaderInfo(testHeader(board5))
	le := binary.LittleEndian
	block := append([]byte(blockMagic), le.AppendUint32(nil, h.id)...)
	block = le.AppendUint32(block, 0)
	block = le.AppendUint32(block, 0)
	block = le.AppendUint32(block, 1)
	block = le.AppendUint32(block, 1<<20)
	block = le.AppendUint32(block, 1<<20)
	block = le.AppendUint32(block, 0xBAD)
	content := append(bytes.Clone(h.raw), bytes.Repeat(block, 100_000)...)
	_, faults := verifyBytes("x.rgz.open", content)
	if len(faults) != 1 || !errors.Is(faults[0], ErrLimit) {
		t.Fatalf("Verify says %v, want ErrLimit", faults)
	}
}

// checkContent decodes a block's content and checks that what comes out as good is good, and the same after another round trip.
func checkContent(t *testing.T, content []byte, n int) {
	h := testHeader(board5)
	d, err := newGameDecoder(&h, content)
	if err != nil {
		return
	}
	encoder := gameEncoder{board: h.Board, rules: h.Rules}
	var games []*Game
	for range n {
		packed, err := d.next()
		if err != nil {
			break
		}
		g, err := d.unpack(packed)
		if err != nil {
			continue
		}
		if err := encoder.add(g); err != nil {
			t.Fatalf("a game that was read is refused: %v", err)
		}
		games = append(games, g)
	}
	d, err = newGameDecoder(&h, encoder.out.appendTo(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		packed, err := d.next()
		if err != nil {
			t.Fatal(err)
		}
		again, err := d.unpack(packed)
		if err != nil {
			t.Fatal(err)
		}
		sameGames(t, []*Game{again}, []*Game{g})
	}
	if err := d.end(); err != nil {
		t.Fatal(err)
	}
}

// blockContent returns the content of a block with the games.
func blockContent(t tester, games []*Game) []byte {
	t.Helper()
	e := gameEncoder{board: board5, rules: testHeader(board5).Rules}
	for _, g := range games {
		if err := e.add(g); err != nil {
			t.Fatal(err)
		}
	}
	return e.out.appendTo(nil)
}

// TestContentBitFlips: a block's content with a bit of any byte changed, as a faulty writer might make it under a right checksum, gives good games or
// errors.
func TestContentBitFlips(t *testing.T) {
	content := blockContent(t, testGames(31, board5, 3))
	for at := range content {
		for _, bit := range []int{0, 7, at % 8} {
			content[at] ^= 1 << bit
			checkContent(t, content, 3)
			content[at] ^= 1 << bit
		}
	}
	for n := range content {
		checkContent(t, content[:n], 3)
	}
}

func FuzzContent(f *testing.F) {
	for i := range 4 {
		f.Add(blockContent(f, testGames(uint64(40+i), board5, i+1)), byte(i+1))
	}
	f.Fuzz(func(t *testing.T, content []byte, n byte) {
		if len(content) > 1<<16 {
			return
		}
		checkContent(t, content, int(n%BlockGames))
	})
}

func FuzzShard(f *testing.F) {
	dir := f.TempDir()
	for i := range 3 {
		path := ShardPath(dir, i)
		writeShard(f, path, testHeader(board5), testGames(uint64(50+i), board5, 2*i), 1)
		sealed := readFile(f, path)
		f.Add(sealed)
		f.Add(sealed[:len(sealed)/2])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, c := range [][]byte{content, repair(content)} {
			games, err := readAny(c)
			saved, faults := verifyBytes("fuzz.rgz", c)
			for _, g := range append(games, saved...) {
				h, headerErr := readHeader(bytes.NewReader(c), int64(len(c)))
				if headerErr != nil { // the copy in the index was used
					continue
				}
				if err := g.Check(h.Board); err != nil {
					t.Fatalf("a game that was read is bad: %v", err)
				}
			}
			if err == nil && len(faults) > 0 && !errors.Is(faults[0], ErrDuplicate) && !errors.Is(faults[0], ErrFormat) {
				t.Fatalf("the reader finds nothing, Verify %v", faults)
			}
			if err != nil && len(faults) == 0 {
				t.Fatalf("Verify finds nothing, the reader %v", err)
			}
		}
	})
}

func FuzzIndex(f *testing.F) {
	h := newHeaderInfo(testHeader(board5))
	x := index{header: h, blocks: []blockPlace{{int64(len(h.raw)), 100, 0, 2}, {int64(len(h.raw)) + 100, 50, 2, 1}}}
	for _, g := range testGames(60, board5, 3) {
		x.entries = append(x.entries, g.entry())
	}
	f.Add(x.content(), 2*uint64(x.end()), uint16(2), uint16(3))
	f.Add(x.content()[:20], 2*uint64(x.end()), uint16(0), uint16(0))
	f.Fuzz(func(t *testing.T, content []byte, end uint64, blocks, games uint16) {
		got, err := parseIndex(content, trailer{int64(end >> 1), int(blocks), int(games), h.id})
		if err != nil {
			if !IsFault(err) {
				t.Fatalf("error without a name: %v", err)
			}
			return
		}
		if len(got.blocks) != int(blocks) || len(got.entries) != int(games) || got.end() != int64(end>>1) {
			t.Fatalf("%d blocks with %d games up to %d, the trailer said %d, %d, %d", len(got.blocks), len(got.entries), got.end(), blocks, games, end>>1)
		}
	})
}
