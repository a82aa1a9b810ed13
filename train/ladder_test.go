package train

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"rampart/data"
)

// ladderConfig is a run with a ladder in each of three generations.
func ladderConfig() Config {
	c := tinyConfig()
	c.Games, c.Gate.Mode = 20, GateOff // every candidate becomes champion
	c.Yard.Every, c.Yard.Ladder, c.Yard.LadderPairs, c.Yard.Earlier = 1, "random,racer", 2, 1
	return c
}

// TestLadder: each new champion meets the classical players and its predecessor; ratings are of all of the run's games, with the fixed
// opponent at 0; the status shows the newest, and a run that was stopped between its stages has the same.
func TestLadder(t *testing.T) {
	c := ladderConfig()
	unbroken, broken := t.TempDir(), t.TempDir()
	r := begin(t, unbroken, &c)
	var events []string
	r.Observer.Event = func(text string) { events = append(events, text) }
	complete(t, r)
	if log := strings.Join(events, "\n"); !strings.Contains(log, "generation 3 is the new champion, without a gate") || strings.Contains(log, "in 0 games") {
		t.Errorf("a run without gates tells:\n%s", log)
	}
	for {
		r := begin(t, broken, &c)
		stage, _, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Do(context.Background(), stage); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if stage == StageDone {
			break
		}
	}
	list, err := Folder(unbroken).ladders()
	if err != nil || len(list) != 3 {
		t.Fatalf("%d ladders, %v", len(list), err)
	}
	for i, l := range list {
		var met []string
		for _, m := range l.Meetings {
			met = append(met, m.Opponent)
			if m.Champion != "generation "+string(rune('1'+i)) || m.BySeat[0].Games() != 2 || m.BySeat[1].Games() != 2 {
				t.Errorf("ladder %d: %+v", i+1, m)
			}
		}
		want := []string{"random", "racer"}
		if i > 0 {
			want = append(want, "generation "+string(rune('0'+i)))
		}
		if !slices.Equal(met, want) || l.Model != i+1 || len(l.Ratings) != 2+i+1 {
			t.Errorf("ladder %d: generation %d met %v, want %v; %d ratings", i+1, l.Model, met, want, len(l.Ratings))
		}
		for _, p := range l.Ratings {
			if p.Player == "racer" && p.Elo[0] != 0 || !(p.Elo[1] <= p.Elo[0] && p.Elo[0] <= p.Elo[2]) {
				t.Errorf("ladder %d: %+v", i+1, p)
			}
			if p.Player == "racer" && p.Games != 4*(i+1) {
				t.Errorf("ladder %d: the racer has played %d games", i+1, p.Games)
			}
		}
	}
	again, err := Folder(broken).ladders()
	if err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(list)
	two, _ := json.Marshal(again)
	if string(one) != string(two) {
		t.Errorf("a run that was stopped has other ladders:\n%s\n%s", two, one)
	}
	s, err := Folder(unbroken).ReadStatus()
	if err != nil || s.Measured.Ladder == nil || s.Measured.Ladder.Model != 3 || s.Measured.HeldOut == nil || len(s.Measured.Optimal) == 0 {
		t.Fatalf("status %+v, %v", s.Measured, err)
	}
	for _, want := range []string{"champion: generation 3 (no gate)", "ladder: generation 3", "racer 0 [", "calibration error", "optimal moves"} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("the status lacks %q:\n%s", want, s)
		}
	}
}

// A champion that has played the ladder does not play it again.
func TestLadderNeedsANewChampion(t *testing.T) {
	c := ladderConfig()
	c.Gate.Mode, c.Gate.MinScore, c.Generations = GateWinRate, 1, 2 // no candidate passes
	c.Gate.Simulations = 1
	dir := t.TempDir()
	complete(t, begin(t, dir, &c))
	list, err := Folder(dir).ladders()
	if err != nil || len(list) != 1 || list[0].Model != 0 {
		t.Errorf("ladders %+v, %v", list, err)
	}
	if shards, err := data.Shards(Folder(dir).gamesDir()); err != nil || len(shards) != 2 {
		t.Errorf("%d shards, %v", len(shards), err)
	}
}

// Lines of the journal that are damaged are not counted.
func TestMetricsAreReadPastDamage(t *testing.T) {
	dir := Folder(t.TempDir())
	text := `{"event":"ladder","generation":1,"value":{"model":1}}` + "\n" + `{"event":"ladder","generation":2,"va` + "\n" +
		string(markLine([]byte(`{"event":"ladder","generation":3,"value":{"model":3}}`))) + "\n" +
		strings.Replace(string(markLine([]byte(`{"event":"ladder","generation":4,"value":{"model":4}}`))), "4", "5", 1) + "\n" + `{"event":"lad`
	if err := os.WriteFile(dir.metricsPath(), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := dir.ladders()
	if err != nil || len(list) != 2 || list[0].Model != 1 || list[1].Model != 3 {
		t.Errorf("%+v, %v", list, err)
	}
}
