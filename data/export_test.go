package data

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rampart/quoridor"
)

// TestExportJSON reads the lines back into the games they were made of.
func TestExportJSON(t *testing.T) {
	games := testGames(100, board9, 12)
	path := tempShard(t)
	writeShard(t, path, testHeader(board9), games)
	var out bytes.Buffer
	if n, err := ExportJSON(&out, []string{path}); err != nil || n != len(games) {
		t.Fatalf("%d games, %v", n, err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(games) {
		t.Fatalf("%d lines, want %d", len(lines), len(games))
	}
	for i, line := range lines {
		sameGames(t, []*Game{parseJSONGame(t, line)}, games[i:i+1])
	}
}

func parseJSONGame(t *testing.T, line string) *Game {
	t.Helper()
	var j struct {
		Board      string
		Walls      int
		PlyCap     int `json:"ply_cap"`
		Repetition bool
		Model      string
		Generation uint32
		ID, Seed   uint64 `json:",string"`
		Opening    int
		Result     string
		Moves      []string
		Searches   []struct {
			Ply    int
			Visits uint32
			Value  float64
			Flags  []string
			Policy map[string]float64
		}
	}
	if err := json.Unmarshal([]byte(line), &j); err != nil {
		t.Fatal(err)
	}
	if j.Board != "9x9" || j.Walls != 10 || j.Model != "00000012" {
		t.Fatalf("board %s, walls %d, model %s", j.Board, j.Walls, j.Model)
	}
	g := &Game{
		Generation: j.Generation, ID: j.ID, Seed: j.Seed, Opening: j.Opening,
		Rules:  quoridor.Rules{PlyCap: j.PlyCap, Repetition: j.Repetition},
		Result: map[string]quoridor.Result{"win0": 1, "win1": 2, "draw-cap": 3, "draw-repetition": 4}[j.Result],
	}
	move := func(text string) quoridor.Move {
		m, err := board9.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, text := range j.Moves {
		g.Moves = append(g.Moves, move(text))
	}
	for _, s := range j.Searches {
		search := Search{Ply: s.Ply, Visits: s.Visits, Value: FixedValue(s.Value)}
		for _, name := range s.Flags {
			search.Flags |= map[string]Flags{"fast": 1, "no-train": 2}[name]
		}
		table := [256]uint16{}
		for text, p := range s.Policy {
			table[move(text)] = uint16(math.Round(p * 65535))
		}
		for m, p := range table {
			if p > 0 {
				search.Policy = append(search.Policy, Prob{quoridor.Move(m), p})
			}
		}
		g.Searches = append(g.Searches, search)
	}
	return g
}

// TestExportText: the tags are there and the moves can be read back.
func TestExportText(t *testing.T) {
	games := testGames(101, board5, 10)
	path := tempShard(t)
	writeShard(t, path, testHeader(board5), games)
	var out bytes.Buffer
	if n, err := ExportText(&out, []string{path, path}); err != nil || n != 2*len(games) {
		t.Fatalf("%d games, %v", n, err)
	}
	parts := strings.Split(strings.TrimSuffix(out.String(), "\n\n"), "\n\n")
	if len(parts) != 4*len(games) {
		t.Fatalf("%d parts, want tags and moves of %d games", len(parts), 2*len(games))
	}
	comment := regexp.MustCompile(`\{([+-][01]\.\d{3})/(\d+)\}`)
	for i, g := range games {
		tags, text := parts[2*i], parts[2*i+1]
		for _, want := range []string{fmt.Sprintf("[Game %q]", fmt.Sprint(g.ID)), `[Board "5x5"]`, `[Walls "2"]`, `[Model "00000012"]`, fmt.Sprintf("[Termination %q]", g.Result)} {
			if !strings.Contains(tags, want) {
				t.Errorf("game %d: %s is missing in\n%s", i, want, tags)
			}
		}
		if n := len(comment.FindAllString(text, -1)); n != len(g.Searches) {
			t.Errorf("game %d: %d comments, want %d", i, n, len(g.Searches))
		}
		var moves []string
		words := strings.Fields(comment.ReplaceAllString(text, ""))
		for _, word := range words[:len(words)-1] {
			if !strings.HasSuffix(word, ".") {
				moves = append(moves, word)
			}
		}
		var want []string
		for _, m := range g.Moves {
			want = append(want, m.String())
		}
		if strings.Join(moves, " ") != strings.Join(want, " ") {
			t.Errorf("game %d: moves %v, want %v", i, moves, want)
		}
		for line := range strings.Lines(text) {
			if len(line) > textWidth+1 {
				t.Errorf("game %d: line of %d characters", i, len(line))
			}
		}
	}
}

// npyFile is an array as a reader of the format sees it.
type npyFile struct {
	descr string
	shape []int
	data  []byte
}

// readNPZ reads an archive by the rules of numpy.lib.format.
func readNPZ(t *testing.T, content []byte) map[string]npyFile {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	header := regexp.MustCompile(`^\{'descr': '([^']+)', 'fortran_order': False, 'shape': \(([0-9, ]+)\), \} *\n$`)
	arrays := map[string]npyFile{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		n := int(binary.LittleEndian.Uint16(b[8:]))
		m := header.FindSubmatch(b[10 : 10+n])
		if string(b[:8]) != "\x93NUMPY\x01\x00" || (10+n)%64 != 0 || m == nil {
			t.Fatalf("%s: header %q", f.Name, b[:10+n])
		}
		a := npyFile{descr: string(m[1]), data: b[10+n:]}
		size := int(a.descr[2] - '0')
		for _, d := range strings.Split(string(m[2]), ", ") {
			var k int
			fmt.Sscan(d, &k)
			a.shape = append(a.shape, k)
			size *= k
		}
		if size != len(a.data) {
			t.Fatalf("%s: %d bytes for shape %v of %s", f.Name, len(a.data), a.shape, a.descr)
		}
		arrays[strings.TrimSuffix(f.Name, ".npy")] = a
	}
	return arrays
}

func (a *npyFile) at(i int) float64 {
	switch a.descr {
	case "|u1":
		return float64(a.data[i])
	case "<u2":
		return float64(binary.LittleEndian.Uint16(a.data[2*i:]))
	case "<u8":
		return float64(binary.LittleEndian.Uint64(a.data[8*i:]))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(a.data[4*i:])))
}

// row returns row i of the array as numbers.
func (a *npyFile) row(i int) []float64 {
	n := 1
	for _, d := range a.shape[1:] {
		n *= d
	}
	out := make([]float64, n)
	for k := range out {
		out[k] = a.at(i*n + k)
	}
	return out
}

// TestExportNPZ rebuilds the positions and targets from the arrays.
func TestExportNPZ(t *testing.T) {
	board := quoridor.MustBoard(5, 7, 3)
	games := testGames(102, board, 15)
	dir := t.TempDir()
	paths := []string{ShardPath(dir, 1), ShardPath(dir, 2)}
	writeShard(t, paths[0], testHeader(board), games[:8])
	writeShard(t, paths[1], testHeader(board), games[8:])
	var out bytes.Buffer
	rows, err := ExportNPZ(&out, paths)
	if err != nil {
		t.Fatal(err)
	}
	a := readNPZ(t, out.Bytes())
	for name, want := range map[string]string{
		"binaryInputNCHW": fmt.Sprint("|u1", []int{rows, 4, 7, 5}), "globalInputNC": fmt.Sprint("<f4", []int{rows, 4}),
		"policyTargetsNCMove": fmt.Sprint("<u2", []int{rows, 1, board.NumActions()}), "legalMovesNCMove": fmt.Sprint("|u1", []int{rows, 1, board.NumActions()}),
		"globalTargetsNC": fmt.Sprint("<f4", []int{rows, 6}), "rowInfoNC": fmt.Sprint("<u8", []int{rows, 5}),
	} {
		if got := fmt.Sprint(a[name].descr, a[name].shape); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if len(a) != 6 {
		t.Errorf("%d arrays, want 6", len(a))
	}
	i := 0
	for _, g := range games {
		replay, err := quoridor.Replay(board, board.Start(), g.Rules, g.Moves)
		if err != nil {
			t.Fatal(err)
		}
		for k := range g.Searches {
			if g.Searches[k].Trains() {
				checkNPZRow(t, a, i, board, g, &g.Searches[k], replay.PositionAt(g.Searches[k].Ply))
				i++
			}
		}
	}
	if i != rows {
		t.Errorf("%d rows, want %d", rows, i)
	}
	if _, err := ExportNPZ(&out, nil); !errors.Is(err, ErrFolder) {
		t.Errorf("no shards: %v", err)
	}
}

func checkNPZRow(t *testing.T, a map[string]npyFile, i int, b *quoridor.Board, g *Game, s *Search, p quoridor.Position) {
	t.Helper()
	get := func(name string) []float64 { f := a[name]; return f.row(i) }
	planes, globals, info := get("binaryInputNCHW"), get("globalInputNC"), get("rowInfoNC")
	var h, v uint64
	var pawns [2]quoridor.Cell
	for k, set := range planes {
		c, y, x := k/(b.H*b.W), k/b.W%b.H, k%b.W
		switch {
		case set == 0:
		case c < 2:
			pawns[c] = quoridor.CellAt(x, y)
		case c == 2:
			h |= 1 << (8*y + x)
		default:
			v |= 1 << (8*y + x)
		}
	}
	// Of these the mover's frame is made: he is player 0 there.
	seen, err := b.NewPosition(h, v, pawns, [2]int{int(globals[0]), int(globals[1])}, 0)
	if err != nil {
		t.Fatalf("row %d: %v", i, err)
	}
	if info[3] == 1 {
		seen = b.Turn(seen)
	}
	if seen != p {
		t.Fatalf("row %d: %s, want %s", i, b.Format(seen), b.Format(p))
	}
	if info[0] != float64(g.Generation) || info[1] != float64(g.ID) || int(info[2]) != s.Ply || int(info[3]) != p.Side() || info[4] != 0 || int(globals[2]) != s.Ply || int(globals[3]) != g.Rules.PlyCap {
		t.Fatalf("row %d: info %v, globals %v", i, info, globals)
	}
	policy, legal := get("policyTargetsNCMove"), get("legalMovesNCMove")
	table := map[quoridor.Move]uint16{}
	for _, e := range s.Policy {
		table[e.Move] = e.P
	}
	n := 0
	for action := range policy {
		m, ok := b.MoveOf(&p, action)
		isLegal := ok && b.IsLegal(&p, m)
		if isLegal != (legal[action] == 1) || isLegal && policy[action] != float64(table[m]) || !isLegal && policy[action] != 0 {
			t.Fatalf("row %d action %d (%s): legal %v, policy %v, want %v", i, action, m, legal[action], policy[action], table[m])
		}
		if isLegal {
			n++
		}
	}
	if n != b.CountMoves(&p) {
		t.Fatalf("row %d: %d legal actions, want %d", i, n, b.CountMoves(&p))
	}
	targets := get("globalTargetsNC")
	outcome := g.Result.Score(p.Side()) // 1, 0.5, 0
	if targets[0]+0.5*targets[1] != outcome || targets[0]+targets[1]+targets[2] != 1 || math.Abs(targets[3]-s.RootValue()) > 1e-6 ||
		int(targets[4]) != len(g.Moves)-s.Ply || targets[5] != float64(s.Visits) {
		t.Fatalf("row %d: targets %v of a game that %v", i, targets, g.Result)
	}
}

// TestNumPyReadsTheExport recomputes two losses with NumPy, where there is a Python that has it: the cross-entropy of the policy targets against the
// uniform policy over the legal moves, and of the results against the root values.
func TestNumPyReadsTheExport(t *testing.T) {
	games := testGames(103, board5, 20)
	path := tempShard(t)
	writeShard(t, path, testHeader(board5), games)
	npz := filepath.Join(t.TempDir(), "rows.npz")
	f, err := os.Create(npz)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ExportNPZ(f, []string{path}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	policyLoss, valueLoss, rows := 0.0, 0.0, 0
	for _, g := range games {
		replay, err := quoridor.Replay(board5, board5.Start(), g.Rules, g.Moves)
		if err != nil {
			t.Fatal(err)
		}
		for k := range g.Searches {
			if s := &g.Searches[k]; s.Trains() {
				p := replay.PositionAt(s.Ply)
				policyLoss += math.Log(float64(board5.CountMoves(&p)))
				d := s.RootValue() - float64(g.Outcome(s.Ply))
				valueLoss += d * d
				rows++
			}
		}
	}
	want := fmt.Sprintf("%.4f %.4f", policyLoss/float64(rows), valueLoss/float64(rows))
	if exec.Command("python3", "-c", "import numpy").Run() != nil {
		t.Log("there is no python3 with numpy here: the arrays are checked by TestExportNPZ alone")
		return
	}
	out, err := exec.Command("python3", filepath.Join("testdata", "loss.py"), npz).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(string(out)); got != want {
		t.Errorf("NumPy finds losses %s, want %s", got, want)
	}
}
