package play

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"rampart/quoridor"
)

// ReadText reads one saved game: its own text, or what [rampart/arena] and package data write. The players of the tags stand in Setup.Names; both
// seats are persons', since a text must not decide what runs. The head and the cursor are at the end of the main line. Errors wrap [ErrText].
func ReadText(text string) (*Game, error) {
	r := textReader{text: text, line: 1}
	g, err := r.read()
	if err != nil {
		return nil, fmt.Errorf("%w: line %d: %w", ErrText, r.line, err)
	}
	return g, nil
}

// textReader goes through a text word by word.
type textReader struct {
	text string
	line int
	tags map[string]string
	game *Game
}

func (r *textReader) read() (*Game, error) {
	if err := r.readTags(); err != nil {
		return nil, err
	}
	setup, err := r.setup()
	if err != nil {
		return nil, err
	}
	if r.game, err = New(setup); err != nil {
		return nil, err
	}
	r.game.Title = title(r.tags)
	result, err := r.readMoves()
	if err != nil {
		return nil, err
	}
	line := r.game.MainLine()
	if err := r.game.SetHead(line[len(line)-1]); err != nil {
		return nil, err
	}
	if err := r.settle(result); err != nil {
		return nil, err
	}
	return r.game, r.setLeft()
}

// skip drops the first n bytes.
func (r *textReader) skip(n int) {
	r.line += strings.Count(r.text[:n], "\n")
	r.text = r.text[n:]
}

// skipSpace drops space, and comments after a semicolon.
func (r *textReader) skipSpace() {
	for {
		n := len(r.text) - len(strings.TrimLeft(r.text, " \t\r\n\ufeff"))
		r.skip(n)
		if !strings.HasPrefix(r.text, ";") {
			return
		}
		r.skip(len(r.text[:lineEnd(r.text)]))
	}
}

func lineEnd(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

func (r *textReader) readTags() error {
	r.tags = make(map[string]string)
	for {
		r.skipSpace()
		if !strings.HasPrefix(r.text, "[") {
			break
		}
		line := strings.TrimRight(r.text[:lineEnd(r.text)], " \t\r")
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "["), " ")
		value, closed := strings.CutSuffix(strings.TrimSpace(value), `"]`)
		value, opened := strings.CutPrefix(value, `"`)
		if !ok || !closed || !opened {
			return fmt.Errorf("%q is not a tag as in [Board \"9x9\"]", clip(line))
		}
		if _, repeated := r.tags[name]; repeated {
			return fmt.Errorf("the tag %s is given twice", clip(name))
		}
		r.tags[name] = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(value)
		r.skip(lineEnd(r.text))
	}
	if len(r.tags) == 0 {
		return fmt.Errorf("a game begins with tags, as in [Board \"9x9\"]")
	}
	return nil
}

// setup puts the settings of the game together from the tags.
func (r *textReader) setup() (Setup, error) {
	w, h, err := quoridor.ParseSize(r.tags["Board"])
	if err != nil {
		return Setup{}, fmt.Errorf("tag Board: %w", err)
	}
	walls, err := r.number("Walls", -1, 0, 64)
	if err != nil {
		return Setup{}, err
	}
	if walls < 0 {
		return Setup{}, fmt.Errorf("the tag Walls is missing")
	}
	board, err := quoridor.NewBoard(w, h, walls)
	if err != nil {
		return Setup{}, fmt.Errorf("tags Board and Walls: %w", err)
	}
	s := NewSetup(board)
	if s.Rules, err = r.rules(); err != nil {
		return s, err
	}
	for seat := range 2 {
		name := r.tags[fmt.Sprintf("Player%d", seat)]
		if name == Person || !printable(name) {
			name = ""
		}
		s.Names[seat] = clip(name)
	}
	if text, given := r.tags["Start"]; given {
		b, p, err := quoridor.ParsePosition(text)
		if err != nil {
			return s, fmt.Errorf("tag Start: %w", err)
		}
		if b.W != w || b.H != h {
			return s, fmt.Errorf("tag Start: a position on %dx%d in a game on %dx%d", b.W, b.H, w, h)
		}
		s.Start = p
	}
	if text, given := r.tags["Clock"]; given {
		if s.Clock, err = ParseClock(text); err != nil {
			return s, fmt.Errorf("tag Clock: %w", err)
		}
	}
	return s, nil
}

// rules reads the tags PlyCap and Repetition, or Rules as package data writes it.
func (r *textReader) rules() (rules quoridor.Rules, err error) {
	if text, given := r.tags["Rules"]; given {
		first, second, _ := strings.Cut(text, ", ")
		rules.Repetition = second == "draw by repetition"
		if first != "no ply cap" {
			if _, err := fmt.Sscanf(first, "ply cap %d", &rules.PlyCap); err != nil || rules.PlyCap < 0 || rules.PlyCap > MostNodes {
				return rules, fmt.Errorf("tag Rules: %q does not begin with a ply cap up to %d", clip(text), MostNodes)
			}
		}
		return rules, nil
	}
	if rules.PlyCap, err = r.number("PlyCap", 0, 0, MostNodes); err != nil {
		return rules, err
	}
	switch repetition, given := r.tags["Repetition"]; {
	case given && repetition == "yes":
		rules.Repetition = true
	case given && repetition != "no":
		return rules, fmt.Errorf("tag Repetition: %q is not yes or no", clip(repetition))
	}
	return rules, nil
}

func (r *textReader) number(tag string, byDefault, lo, hi int) (int, error) {
	text, given := r.tags[tag]
	if !given {
		return byDefault, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("tag %s: %q is not a number from %d to %d", tag, clip(text), lo, hi)
	}
	return n, nil
}

// title puts into words what the tags say about where a game is from.
func title(tags map[string]string) string {
	event, game := tags["Event"], tags["Game"]
	switch {
	case !printable(event + game):
		return ""
	case event != "" && game != "":
		return clip(event + ", game " + game)
	case tags["Pair"] != "" && game != "" && printable(tags["Pair"]):
		return clip("game " + game + " of pair " + tags["Pair"])
	}
	return clip(event)
}

// ParseClock reads a clock: base and increment as in "300s+5s", "5m+3s" or "10m".
func ParseClock(text string) (Clock, error) {
	base, increment, _ := strings.Cut(text, "+")
	if increment == "" {
		increment = "0s"
	}
	var c Clock
	var err, err2 error
	c.Base, err = time.ParseDuration(strings.TrimSpace(base))
	c.Increment, err2 = time.ParseDuration(strings.TrimSpace(increment))
	if err != nil || err2 != nil || c.Base <= 0 || c.Base > mostClock || c.Increment < 0 || c.Increment > mostClock {
		return Clock{}, fmt.Errorf("%w: clock %q is not time and increment as in 5m+3s", ErrGame, clip(text))
	}
	return c, nil
}

// setLeft reads the tag TimeLeft.
func (r *textReader) setLeft() error {
	text, given := r.tags["TimeLeft"]
	if !given || !r.game.setup.Clock.On() {
		return nil
	}
	var left [2]time.Duration
	parts := strings.Split(text, ",")
	for i := range left {
		var err error
		if len(parts) == 2 {
			left[i], err = time.ParseDuration(strings.TrimSpace(parts[i]))
		}
		if err != nil || len(parts) != 2 || left[i] < 0 || left[i] > mostClock {
			return fmt.Errorf("tag TimeLeft: %q is not two times as in 281s,295s", clip(text))
		}
	}
	r.game.SetLeft(left)
	return nil
}

var (
	moveNumber  = regexp.MustCompile(`^[0-9]+\.+`)
	evalComment = regexp.MustCompile(`^([+-]?[01](?:\.[0-9]+)?)/([0-9]{1,9})$`)
)

// readMoves plays the moves of the text and returns the result that stands after them.
func (r *textReader) readMoves() (string, error) {
	at := Root
	var outer []NodeID // where the lines that contain this one go on
	for {
		r.skipSpace()
		switch {
		case r.text == "":
			return "", fmt.Errorf("the text ends before the result (1-0, 0-1, 1/2-1/2 or *)")
		case r.text[0] == '{':
			end := strings.IndexByte(r.text, '}')
			if end < 0 {
				return "", fmt.Errorf("a comment is not closed")
			}
			r.comment(strings.TrimSpace(r.text[1:end]), at)
			r.skip(end + 1)
			continue
		case r.text[0] == '}':
			return "", fmt.Errorf("a comment is closed that was not opened")
		case r.text[0] == '(':
			if at == Root {
				return "", fmt.Errorf("a branch stands before any move")
			}
			outer = append(outer, at)
			at = r.game.node(at).Parent
			r.skip(1)
			continue
		case r.text[0] == ')':
			if len(outer) == 0 {
				return "", fmt.Errorf("a branch is closed that was not opened")
			}
			at, outer = outer[len(outer)-1], outer[:len(outer)-1]
			r.skip(1)
			continue
		}
		word := r.text
		if end := strings.IndexAny(word, " \t\r\n(){};"); end >= 0 {
			word = word[:end]
		}
		switch word {
		case "1-0", "0-1", "1/2-1/2", "*":
			if len(outer) > 0 {
				return "", fmt.Errorf("the result stands in a branch")
			}
			r.skip(len(word))
			r.skipSpace()
			if r.text != "" {
				return "", fmt.Errorf("%q follows the result; a text holds one game", clip(r.text[:lineEnd(r.text)]))
			}
			return word, nil
		}
		r.skip(len(word))
		if word = word[len(moveNumber.FindString(word)):]; word == "" {
			continue
		}
		next, err := r.play(at, word)
		if err != nil {
			return "", fmt.Errorf("ply %d: %w", r.game.node(at).Ply+1, err)
		}
		at = next
	}
}

func (r *textReader) play(at NodeID, word string) (NodeID, error) {
	m, err := r.game.setup.Board.ParseMove(word)
	if err != nil {
		return none, err
	}
	return r.game.Add(at, m)
}

// comment keeps a comment of the form VALUE/VISITS as what a search said before the node's move.
func (r *textReader) comment(text string, at NodeID) {
	parts := evalComment.FindStringSubmatch(text)
	n := r.game.node(at)
	if parts == nil || n.Parent == none {
		return
	}
	value, err := strconv.ParseFloat(parts[1], 64)
	visits, err2 := strconv.Atoi(parts[2])
	if err != nil || err2 != nil || value < -1 || value > 1 {
		return
	}
	parent := r.game.node(n.Parent)
	if parent.Position.Side() == 1 {
		value = -value
	}
	_ = r.game.SetEval(parent.ID, Eval{WinRate: (1 + value) / 2, Visits: visits})
}

// settle compares the result of the text with the moves, and ends the game at the head if it was ended by something else.
func (r *textReader) settle(result string) error {
	if stated, given := r.tags["Result"]; given && stated != result {
		return fmt.Errorf("the tag Result says %s, the moves %s", clip(stated), result)
	}
	got := r.game.Result(r.game.head)
	if got.Score() == result {
		return nil
	}
	reason := Reason(r.tags["Termination"])
	if got.Over || reason != Resignation && reason != Time || result != "1-0" && result != "0-1" {
		return fmt.Errorf("the result is given as %s, but the moves end with %s (%s)", result, got.Score(), got)
	}
	winner := 0
	if result == "0-1" {
		winner = 1
	}
	r.game.node(r.game.head).Ending = &Outcome{true, winner, reason}
	return nil
}

// printable tells whether the text has no control characters.
func printable(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return !strconv.IsPrint(c) }) < 0
}

// clip shortens text from outside.
func clip(text string) string {
	const most = 80
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
