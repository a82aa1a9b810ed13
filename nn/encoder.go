package nn

import (
	"rampart/nn/kernel"
	"rampart/quoridor"
)

// The planes of feature set 1, in the mover's frame: for player 1 the board is
// turned by 180 degrees, so that the mover always heads for the last row.
//
// Feature set 2 tells what walls would do in the place of cuts that the cells to
// the south and west tell as well.
const (
	planeOwnPawn          = iota // 1 at the mover's pawn
	planeOpponentPawn            // 1 at the opponent's pawn
	planeCutNorth                // 1 where a wall or the border cuts the edge
	planeCutEast                 // the same to the east
	planeCutSouth                // the same to the south
	planeCutWest                 // the same to the west
	planeOwnDistance             // steps to the mover's goal row when only walls block, / 16
	planeOpponentDistance        // the same for the opponent and his goal row
	planeOwnPath                 // 1 on every shortest path of the mover's pawn
	planeOpponentPath            // the same for the opponent
	planeLegalH                  // 1 at the lower left cell of a legal horizontal wall
	planeLegalV                  // the same for vertical walls
	planeOwnWalls                // walls left / 10, everywhere
	planeOpponentWalls           // the same for the opponent
	planeLead                    // (opponent's distance - own distance) / 8, everywhere
	planeOnes                    // 1 everywhere: tells the board from its border

	planeDetourH = planeCutSouth // feature set 2: at the lower left cell of a horizontal wall that may be placed, what it costs the opponent less what it costs the mover, in steps / 4, each at most 8
	planeDetourV = planeCutWest  // the same for vertical walls
)

// distancePlanes are the planes that a network of [Config.NoDistance] does not
// see.
var distancePlanes = [...]int{planeOwnDistance, planeOpponentDistance, planeOwnPath, planeOpponentPath, planeLead}

const (
	distanceScale = 16
	wallScale     = 10
	leadScale     = 8
	detourScale   = 4
	longestDetour = 8
	// unreachable is the distance of a cell without a path, in steps.
	unreachable = 81
)

// Encoder turns positions into planes. It holds scratch memory: one goroutine
// uses it at a time.
type Encoder struct {
	board  *quoridor.Board
	config Config // which planes there are
	shape  kernel.Shape

	// Bit x of row y tells about cell (x,y), all in the encoded frame.
	cutNorth, cutEast [quoridor.MaxSize]uint16
	legalH, legalV    [quoridor.MaxSize]uint16
	path              [2][quoridor.MaxSize]uint16
	distance          [2][quoridor.NumCells]uint8
	queue             [quoridor.NumCells]quoridor.Cell

	detours          [2]quoridor.Detours        // of the player
	detourH, detourV [quoridor.NumCells]float32 // zero where no wall has its lower left cell
}

// NewEncoder returns an encoder for positions on the board, which must have at
// least 3 columns, with the planes that networks of the configuration see.
func NewEncoder(cfg Config, b *quoridor.Board) *Encoder {
	return &Encoder{board: b, config: cfg, shape: kernel.Shape{H: b.H, W: b.W}}
}

// Board returns the board.
func (e *Encoder) Board() *quoridor.Board { return e.board }

// Len returns the number of floats of one encoded position: [H+2][W+2][16],
// with a halo of zeros one cell wide.
func (e *Encoder) Len() int { return e.shape.Len(1, NumPlanes) }

// Encode writes the planes of a position in the mover's frame, mirrored if
// mirror is set. moves are all legal moves. The planes of the mirror image are
// exactly the mirrored planes. dst has Len floats, and its halo stays as it is:
// zero, if it comes from [kernel.Alloc]. Nothing is allocated.
func (e *Encoder) Encode(dst []float32, p *quoridor.Position, moves []quoridor.Move, mirror bool) {
	frame := *p
	if p.Side() == 1 {
		frame = e.board.Turn(frame)
	}
	if mirror {
		frame = e.board.Mirror(frame)
	}
	e.findCuts(&frame)
	e.findLegalWalls(moves, p.Side() == 1, mirror)
	for player := range 2 {
		e.board.Distances(&frame, player, &e.distance[player])
		e.findPath(player, frame.Pawn(player))
	}
	if e.config.DetourPlanes {
		e.findDetours(&frame)
	}
	e.write(dst, &frame)
}

// Action returns the index of a move in the policy that goes with the encoded
// position: [quoridor.Board.Action], mirrored if mirror is set.
func (e *Encoder) Action(p *quoridor.Position, m quoridor.Move, mirror bool) int {
	a := e.board.Action(p, m)
	if mirror && a >= 0 {
		a = e.board.MirrorAction(a)
	}
	return a
}

// findCuts marks the edges that walls and the border cut.
func (e *Encoder) findCuts(p *quoridor.Position) {
	h, v := p.HWalls(), p.VWalls()
	below := uint16(0) // vertical walls with their anchor in the row below
	for y := range e.board.H {
		horizontal, vertical := wallRow(h, y), wallRow(v, y)
		e.cutNorth[y] = horizontal | horizontal<<1
		e.cutEast[y] = vertical | below | 1<<(e.board.W-1)
		below = vertical
	}
	e.cutNorth[e.board.H-1] = 1<<e.board.W - 1
}

// wallRow returns the walls with an anchor in a row. The last row of a board
// has none.
func wallRow(walls uint64, y int) uint16 {
	if y > 7 {
		return 0
	}
	return uint16(walls>>(8*y)) & 0xff
}

func (e *Encoder) findLegalWalls(moves []quoridor.Move, turned, mirror bool) {
	e.legalH, e.legalV = [quoridor.MaxSize]uint16{}, [quoridor.MaxSize]uint16{}
	for _, m := range moves {
		if !m.IsWall() {
			continue
		}
		x, y, horizontal := m.Anchor()
		if turned {
			y = e.board.H - 2 - y
		}
		if turned != mirror {
			x = e.board.W - 2 - x
		}
		if horizontal {
			e.legalH[y] |= 1 << x
		} else {
			e.legalV[y] |= 1 << x
		}
	}
}

// findPath marks the cells on all shortest paths from a pawn: those that can be
// reached by steps that each come nearer to the goal.
func (e *Encoder) findPath(player int, pawn quoridor.Cell) {
	path, distance := &e.path[player], &e.distance[player]
	*path = [quoridor.MaxSize]uint16{}
	if distance[pawn] == quoridor.Unreachable {
		return
	}
	path[pawn.Y()] |= 1 << pawn.X()
	e.queue[0] = pawn
	for head, tail := 0, 1; head < tail; head++ {
		c := e.queue[head]
		x, y, nearer := c.X(), c.Y(), distance[c]-1
		if distance[c] == 0 {
			continue
		}
		visit := func(x, y int) {
			next := quoridor.CellAt(x, y)
			if distance[next] == nearer && path[y]>>x&1 == 0 {
				path[y] |= 1 << x
				e.queue[tail] = next
				tail++
			}
		}
		if e.cutNorth[y]>>x&1 == 0 {
			visit(x, y+1)
		}
		if e.cutEast[y]>>x&1 == 0 {
			visit(x+1, y)
		}
		if y > 0 && e.cutNorth[y-1]>>x&1 == 0 {
			visit(x, y-1)
		}
		if x > 0 && e.cutEast[y]>>(x-1)&1 == 0 {
			visit(x-1, y)
		}
	}
}

// findDetours weighs what each wall costs the two players.
func (e *Encoder) findDetours(p *quoridor.Position) {
	for player := range 2 {
		e.board.Detours(p, player, &e.detours[player])
	}
	own, opponent := &e.detours[0], &e.detours[1]
	for y := range e.board.H - 1 {
		for x := range e.board.W - 1 {
			c, anchor := quoridor.CellAt(x, y), 8*y+x
			e.detourH[c] = balance(own.H[anchor], opponent.H[anchor])
			e.detourV[c] = balance(own.V[anchor], opponent.V[anchor])
		}
	}
}

// balance returns what a wall is worth to the mover by the steps that it costs
// either player; 0 for a wall that leaves one without a path.
func balance(own, opponent uint8) float32 {
	if own == quoridor.Unreachable || opponent == quoridor.Unreachable {
		return 0
	}
	return float32(int(min(opponent, longestDetour))-int(min(own, longestDetour))) / detourScale
}

func (e *Encoder) write(dst []float32, p *quoridor.Position) {
	own, opponent := p.Pawn(0), p.Pawn(1)
	ownWalls, opponentWalls := float32(p.WallsLeft(0))/wallScale, float32(p.WallsLeft(1))/wallScale
	lead := (steps(e.distance[1][opponent]) - steps(e.distance[0][own])) / leadScale
	south := uint16(1<<e.board.W - 1)
	for y := range e.board.H {
		north, east := e.cutNorth[y], e.cutEast[y]
		west := east<<1 | 1
		for x := range e.board.W {
			c := quoridor.CellAt(x, y)
			out := (*[NumPlanes]float32)(dst[e.shape.Offset(0, y, x, NumPlanes):])
			out[planeOwnPawn] = indicator(c == own)
			out[planeOpponentPawn] = indicator(c == opponent)
			out[planeCutNorth] = bit(north, x)
			out[planeCutEast] = bit(east, x)
			out[planeCutSouth] = bit(south, x)
			out[planeCutWest] = bit(west, x)
			out[planeOwnDistance] = steps(e.distance[0][c]) / distanceScale
			out[planeOpponentDistance] = steps(e.distance[1][c]) / distanceScale
			out[planeOwnPath] = bit(e.path[0][y], x)
			out[planeOpponentPath] = bit(e.path[1][y], x)
			out[planeLegalH] = bit(e.legalH[y], x)
			out[planeLegalV] = bit(e.legalV[y], x)
			out[planeOwnWalls] = ownWalls
			out[planeOpponentWalls] = opponentWalls
			out[planeLead] = lead
			out[planeOnes] = 1
			if e.config.DetourPlanes {
				out[planeDetourH] = e.detourH[c]
				out[planeDetourV] = e.detourV[c]
			}
			if e.config.NoDistance {
				for _, p := range distancePlanes {
					out[p] = 0
				}
			}
		}
		south = north
	}
}

func steps(distance uint8) float32 {
	if distance == quoridor.Unreachable {
		return unreachable
	}
	return float32(distance)
}

func bit(row uint16, x int) float32 { return float32(row >> x & 1) }

func indicator(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
