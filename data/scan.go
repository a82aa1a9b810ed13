package data

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// scanner goes through the blocks of a shard from the first to the last without an index, and past damage to the next whole block.
type scanner struct {
	blocks *blockReader
	offset int64 // where the next block should begin
	end    int64 // where the blocks end: at the index or the end of the file
	budget int64 // bytes that may still be read in search of a block
}

// searchBudget bounds what a search for whole blocks may read, as a multiple of the file's size beyond a fixed amount. A file made to look like
// block headers everywhere would take for ever otherwise.
const (
	searchBudgetFixed = 64 << 20
	searchBudgetTimes = 4
)

func newScanner(r io.ReaderAt, h *headerInfo, end int64) *scanner {
	return &scanner{
		blocks: newBlockReader(r, h.id),
		offset: int64(len(h.raw)),
		end:    end,
		budget: searchBudgetFixed + searchBudgetTimes*end,
	}
}

// next reads the block at the current offset and moves on. It returns io.EOF at the end. After another error the offset is unchanged.
func (s *scanner) next() (blockInfo, error) {
	if s.offset >= s.end {
		return blockInfo{}, io.EOF
	}
	b, err := s.blocks.read(s.offset, s.end)
	if err == nil {
		s.offset += b.size()
	}
	return b, err
}

// skip moves on to the next whole block after a fault at the current offset, and tells whether there is one. Without one it moves to the end.
// The error wraps ErrLimit if the search was given up.
func (s *scanner) skip() (bool, error) {
	mark := binary.LittleEndian.AppendUint32([]byte(blockMagic), s.blocks.shard)
	const window = 64 << 10
	buffer := make([]byte, window)
	for at := s.offset + 1; at < s.end; {
		n := min(window, s.end-at)
		if err := readFull(s.blocks.file, buffer[:n], at); err != nil {
			return false, err
		}
		i := bytes.Index(buffer[:n], mark)
		if i < 0 {
			if n < window {
				break
			}
			at += n - int64(len(mark)) + 1
			continue
		}
		b, err := s.blocks.read(at+int64(i), s.end)
		if err == nil {
			s.offset = at + int64(i)
			return true, nil
		}
		if s.budget -= int64(i) + blockHeader + int64(b.payload); s.budget < 0 {
			s.offset = s.end
			return false, fmt.Errorf("%w: too many false beginnings of blocks, the search was given up", ErrLimit)
		}
		at += int64(i) + 1
	}
	s.offset = s.end
	return false, nil
}
