// Package ugi speaks the Universal Game Interface, the form of UCI for any game of two players, so that other programs can drive an engine of ours.
//
//	ugi                                     names the engine and its options, then "ugiok"
//	isready                                 "readyok", also while the engine thinks
//	setoption name N value V
//	uginewgame                              forgets the last game
//	position startpos|fen F [moves M ...]   F is our text of a position, six fields; startpos is that of the options Board and Walls
//	go [nodes N] [movetime MS] [p1time MS p2time MS [p1inc MS] [p2inc MS]] [infinite]
//	stop                                    ends the search at once, with "bestmove"
//	query p1turn|gameover|result            "response true", "response p1win" and so on (p1win, p2win, draw, none)
//	quit
//
// While it thinks the engine prints "info depth D nodes N nps R time MS score winrate W pv M ...", W being for the side to move; at the end
// "bestmove M". go does not play its move: the position stays until the next position command. Without limits, those of the options count. go infinite says its
// move only after stop.
//
// What cannot be done is answered with "info string error: ..." and changes nothing; that holds for a position with an illegal move, too. While a search
// runs, setoption, uginewgame, position and go are such errors. At the end of the input, a search without limits is stopped and any other one is finished.
//
// Moves are in our own notation, p1 is player 0.
package ugi
