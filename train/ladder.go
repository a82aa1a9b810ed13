package train

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"rampart/arena"
	"rampart/nn"
)

// LadderReport is what the ladder of a generation has shown.
type LadderReport struct {
	Model       int             `json:"model"`       // generation of the champion that met the others
	Simulations int             `json:"simulations"` // a move of the champions
	Meetings    []LadderMeeting `json:"meetings"`
	Ratings     []LadderRating  `json:"ratings"` // of all players that the run's ladders have seen, best first
}

// LadderMeeting is a match of the champion against another player.
type LadderMeeting struct {
	Champion string         `json:"champion"`
	Opponent string         `json:"opponent"`
	BySeat   [2]arena.Tally `json:"by_seat"`
	Pairs    arena.Pairs    `json:"pairs"`
	Score    [3]float64     `json:"score"` // points a game with their 95 % interval
	Distinct int            `json:"distinct"`
}

// LadderRating is a player's Elo rating with its 95 % interval. That of the run's fixed opponent is 0, if the ladder has it; else the mean is.
type LadderRating struct {
	Player string     `json:"player"`
	Elo    [3]float64 `json:"elo"`
	Games  int        `json:"games"`
}

// Limits of a ladder.
const (
	mostLadderPlayers   = 16
	mostEarlier         = 16
	ladderBootstrap     = 300
	ladderLineForStatus = 8 // ratings in a line to read
)

// ladderPlayers splits the setting.
func (y YardConfig) ladderPlayers() []string {
	return strings.FieldsFunc(y.Ladder, func(c rune) bool { return c == ',' || c == ' ' })
}

// ladder lets a champion play the ladder's players and earlier champions, and rates all. A champion that has played it before does not again.
func (r *Run) ladder(ctx context.Context, generation int, champion Champion) error {
	y := r.Config.Yard
	players := y.ladderPlayers()
	if y.LadderPairs == 0 || len(players)+y.Earlier == 0 {
		return nil
	}
	began := r.system.now()
	past, err := r.Folder.ladders()
	if err != nil {
		return err
	}
	report := LadderReport{Model: champion.Generation, Simulations: y.Simulations}
	opponents, err := r.ladderOpponents(players, past, champion)
	if err != nil || len(opponents) == 0 {
		return err
	}
	model, err := r.championModel(champion)
	if err != nil {
		return err
	}
	us := r.opponent(model, y.Simulations)
	for i, o := range opponents {
		m, err := r.match(ctx, "ladder", StageGate, generation, us, o, arena.MatchConfig{
			Pairs: y.LadderPairs, OpeningPlies: r.Config.Gate.OpeningPlies, Seed: r.matchSeed(seedLadder, generation) + uint64(i)<<40,
		})
		if err != nil {
			return err
		}
		score := m.Score()
		report.Meetings = append(report.Meetings, LadderMeeting{
			Champion: us.Name, Opponent: o.Name, BySeat: m.BySeat, Pairs: m.Pairs, Score: [3]float64{score.Value, score.Low, score.High}, Distinct: m.Distinct,
		})
	}
	report.rate(past, y.Opponent, r.Config.Seed)
	r.event("ladder: %s", report)
	return r.measure("ladder", generation, began, report)
}

// ladderOpponents returns whom the champion meets; nobody if it has played a ladder before.
func (r *Run) ladderOpponents(players []string, past []LadderReport, champion Champion) (list []arena.Opponent, err error) {
	for _, name := range players {
		o, err := arena.Parse(name)
		if err != nil {
			return nil, fmt.Errorf("yardstick.ladder: %w", err)
		}
		list = append(list, o)
	}
	earlier := 0
	for i := len(past) - 1; i >= 0; i-- {
		if past[i].Model == champion.Generation {
			return nil, nil
		}
		if earlier == r.Config.Yard.Earlier {
			continue
		}
		m, err := r.model(past[i].Model)
		if errors.Is(err, fs.ErrNotExist) { // let go by retention
			continue
		}
		if errors.Is(err, nn.ErrFormat) {
			r.warn(fmt.Errorf("earlier champion left out of the ladder: %w", err))
			continue
		}
		if err != nil {
			return nil, err
		}
		list, earlier = append(list, r.opponent(m, r.Config.Yard.Simulations)), earlier+1
	}
	return list, nil
}

// rate fills in the ratings from the meetings of this report and of those before it.
func (l *LadderReport) rate(past []LadderReport, zero string, seed uint64) {
	var meetings []arena.Meeting
	for _, report := range append(past[:len(past):len(past)], *l) {
		for _, m := range report.Meetings {
			total := arena.Tally{
				Wins:  m.BySeat[0].Wins + m.BySeat[1].Wins,
				Draws: m.BySeat[0].Draws + m.BySeat[1].Draws, Losses: m.BySeat[0].Losses + m.BySeat[1].Losses,
			}
			meetings = append(meetings, arena.Meeting{A: m.Champion, B: m.Opponent, Pairs: m.Pairs, Total: total})
		}
	}
	shift := 0.0
	standings := arena.Rank(meetings, ladderBootstrap, seed)
	for _, s := range standings {
		if s.Name == zero {
			shift = s.Rating.Value
		}
	}
	l.Ratings = nil
	for _, s := range standings {
		l.Ratings = append(l.Ratings, LadderRating{s.Name, [3]float64{s.Rating.Value - shift, s.Rating.Low - shift, s.Rating.High - shift}, s.Total.Games()})
	}
}

// String returns the meetings and the best ratings in a line.
func (l LadderReport) String() string {
	var met, rated []string
	games, distinct := 0, 0
	for _, m := range l.Meetings {
		games, distinct = games+2*m.Pairs.Count(), distinct+m.Distinct
		met = append(met, fmt.Sprintf("%s %.0f %% (%s, %s)", m.Opponent, 100*m.Score[0], m.BySeat[0], m.BySeat[1]))
	}
	for i, p := range l.Ratings {
		if i == ladderLineForStatus {
			rated = append(rated, "...")
			break
		}
		rated = append(rated, fmt.Sprintf("%s %.0f [%.0f, %.0f]", p.Player, p.Elo[0], p.Elo[1], p.Elo[2]))
	}
	return fmt.Sprintf("generation %d at %d simulations, by seat, against %s; %d games, %d of them distinct; Elo: %s",
		l.Model, l.Simulations, strings.Join(met, ", "), games, distinct, strings.Join(rated, ", "))
}

// ladders reads the reports of all ladders of the run, oldest first.
func (f Folder) ladders() (list []LadderReport, err error) {
	err = f.eachMetric(func(m metricLine) error {
		if m.Event != "ladder" {
			return nil
		}
		var report LadderReport
		if err := json.Unmarshal(m.Value, &report); err != nil {
			return fmt.Errorf("%w: %s: ladder of generation %d: %w", ErrDamaged, f.metricsPath(), m.Generation, err)
		}
		list = append(list, report)
		return nil
	})
	return list, err
}

// metricLine is a line of metrics.jsonl as it is read.
type metricLine struct {
	Event      string          `json:"event"`
	Generation int             `json:"generation"`
	Value      json.RawMessage `json:"value"`
}

// eachMetric calls use with every whole line of metrics.jsonl.
func (f Folder) eachMetric(use func(metricLine) error) error {
	file, err := openFile(f.metricsPath(), maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, 1<<16)
	for {
		line, err := readLine(lines)
		if err != nil || len(line) == 0 {
			return err
		}
		line = line[:len(line)-1]
		if _, ok := checkLine(line); !ok { // cut off or altered; the next start sets it aside
			continue
		}
		var m metricLine
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		if err := use(m); err != nil {
			return err
		}
	}
}
