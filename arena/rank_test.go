package arena

import (
	"reflect"
	"testing"
)

// TestRank: meetings of a whole ladder are rated as the ladder rates them, and a player who met only some of the others has his place.
func TestRank(t *testing.T) {
	ladder, err := Ladder(t.Context(), parsePlayers("random", "racer", "waller"), LadderConfig{Match: testConfig(), Bootstrap: leastBootstrap})
	if err != nil {
		t.Fatal(err)
	}
	var meetings []Meeting
	for _, m := range ladder.Matches {
		meetings = append(meetings, Meeting{m.A, m.B, m.Pairs, m.Total()})
	}
	if got := Rank(meetings, leastBootstrap, testConfig().Seed); !reflect.DeepEqual(got, ladder.Standings) {
		t.Errorf("ranked %v, the ladder says %v", got, ladder.Standings)
	}
	champion := Meeting{A: "champion", B: ladder.Standings[0].Name, Pairs: Pairs{0, 0, 1, 1, 8}, Total: Tally{17, 0, 3}}
	got := Rank(append(meetings, champion), 200, 1)
	if len(got) != 4 || got[0].Name != "champion" || got[0].Total != champion.Total || !(got[0].Rating.Low < got[0].Rating.Value && got[0].Rating.Value < got[0].Rating.High) {
		t.Errorf("ranked %v", got)
	}
	if Rank(nil, 100, 1) != nil {
		t.Error("nobody has a rank")
	}
}
