package bench

import (
	"strings"
	"testing"
	"time"

	"rampart/quoridor"
)

func TestMeasureRules(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	positions := RandomPositions(b, 50, 1)
	r, err := MeasureRules(t.Context(), b, positions, time.Nanosecond, 3)
	if err != nil || r.Positions != 50 || r.ListsPerSecond <= 0 || r.GamesPerSecond <= 0 || r.MovesPerPosition < 1 || r.PliesPerGame < 7 || r.PerftNodes != b.Perft(b.Start(), 3) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestReadPositions(t *testing.T) {
	b := quoridor.MustBoard(9, 9, 10)
	list, err := ReadPositions(strings.NewReader("\ne2 e8 a1h\n"), b)
	if err != nil || len(list) != 2 || list[0] != b.Start() || b.Format(list[1]) != "9x9 e2 e8 a1h 9,10 1" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := ReadPositions(strings.NewReader("e2\ne2 e4"), b); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
	if _, err := ReadPositions(strings.NewReader("e2\n"+strings.Repeat("e2 ", 1<<16)), b); err == nil || err.Error() != "line 2: the line is too long: at most 65536 bytes" {
		t.Errorf("error %v", err)
	}
}
