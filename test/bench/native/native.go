// Filters of libraries of Go on the lines of a file: native LIBRARY FILTER LINES
//
// Reads the filter and prints how many of the lines it has. One thread.
package main

import (
	"bufio"
	"fmt"
	"os"

	dcso "github.com/DCSO/bloom"
	bits "github.com/bits-and-blooms/bloom/v3"
)

// Bytes per read, and the most bytes of a line.
const buffer = 1 << 20

func fail(what string, err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
	os.Exit(2)
}

// tester loads a filter and returns the function that queries it.
func tester(library string, file string) func([]byte) bool {
	switch library {
	case "dcso":
		filter, err := dcso.LoadFilter(file, false)
		if err != nil {
			fail(file, err)
		}
		return filter.Check
	case "bits-and-blooms":
		input, err := os.Open(file)
		if err != nil {
			fail(file, err)
		}
		filter := &bits.BloomFilter{}
		if _, err := filter.ReadFrom(bufio.NewReaderSize(input, buffer)); err != nil {
			fail(file, err)
		}
		return filter.Test
	}
	fail(library, fmt.Errorf("is none of the libraries"))
	return nil
}

func main() {
	if len(os.Args) != 4 {
		fail("native", fmt.Errorf("LIBRARY FILTER LINES"))
	}
	has := tester(os.Args[1], os.Args[2])
	input, err := os.Open(os.Args[3])
	if err != nil {
		fail(os.Args[3], err)
	}
	lines := bufio.NewScanner(input)
	lines.Buffer(make([]byte, buffer), buffer)
	found := 0
	for lines.Scan() {
		if has(lines.Bytes()) {
			found++
		}
	}
	if err := lines.Err(); err != nil {
		fail(os.Args[3], err)
	}
	fmt.Println(found)
}
