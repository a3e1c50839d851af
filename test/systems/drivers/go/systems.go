// Filters of Go libraries. ../asking.ts describes the requests and the answers.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	dcso "github.com/DCSO/bloom"
	bits "github.com/bits-and-blooms/bloom/v3"
)

// filter is a filter of any library.
type filter struct {
	add   func(key []byte)
	has   func(key []byte) bool
	write func(file string) error
	merge func(other string) error
}

func dcsoFilter(of *dcso.BloomFilter) *filter {
	return &filter{
		add:   of.Add,
		has:   of.Check,
		write: func(file string) error { return dcso.WriteFilter(of, file, false) },
		merge: func(other string) error {
			loaded, err := dcso.LoadFilter(other, false)
			if err != nil {
				return err
			}
			return of.Join(loaded)
		},
	}
}

func bitsFilter(of *bits.BloomFilter) *filter {
	return &filter{
		add: func(key []byte) { of.Add(key) },
		has: of.Test,
		write: func(file string) error {
			output, err := os.Create(file)
			if err != nil {
				return err
			}
			if _, err := of.WriteTo(output); err != nil {
				return err
			}
			return output.Close()
		},
		merge: func(other string) error {
			loaded, err := readBits(other)
			if err != nil {
				return err
			}
			return of.Merge(loaded)
		},
	}
}

func readBits(file string) (*bits.BloomFilter, error) {
	input, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer input.Close()
	of := &bits.BloomFilter{}
	_, err = of.ReadFrom(bufio.NewReader(input))
	return of, err
}

func read(sort string, file string) (*filter, error) {
	if sort == "dcso" {
		of, err := dcso.LoadFilter(file, false)
		if err != nil {
			return nil, err
		}
		return dcsoFilter(of), nil
	}
	of, err := readBits(file)
	if err != nil {
		return nil, err
	}
	return bitsFilter(of), nil
}

func empty(sort string, items string, rate string) (*filter, error) {
	n, err := strconv.ParseUint(items, 10, 64)
	if err != nil {
		return nil, err
	}
	p, err := strconv.ParseFloat(rate, 64)
	if err != nil {
		return nil, err
	}
	if sort == "dcso" {
		of := dcso.Initialize(n, p)
		return dcsoFilter(&of), nil
	}
	return bitsFilter(bits.NewWithEstimates(uint(n), p)), nil
}

func keysIn(file string) ([][]byte, error) {
	all, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	keys := bytes.Split(all, []byte{0})
	return keys[:len(keys)-1], nil
}

func has(sort string, file string, keyFile string) (string, error) {
	of, err := read(sort, file)
	if err != nil {
		return "", err
	}
	keys, err := keysIn(keyFile)
	if err != nil {
		return "", err
	}
	answers := make([]byte, len(keys))
	for i, key := range keys {
		answers[i] = '0'
		if of.has(key) {
			answers[i] = '1'
		}
	}
	return string(answers), nil
}

func build(sort string, file string, keyFile string, items string, rate string) (string, error) {
	of, err := empty(sort, items, rate)
	if err != nil {
		return "", err
	}
	keys, err := keysIn(keyFile)
	if err != nil {
		return "", err
	}
	for _, key := range keys {
		of.add(key)
	}
	return "made", of.write(file)
}

func merge(sort string, file string, one string, other string) (string, error) {
	of, err := read(sort, one)
	if err != nil {
		return "", err
	}
	if err := of.merge(other); err != nil {
		return "", err
	}
	return "merged", of.write(file)
}

func answer(words []string) (string, error) {
	switch words[0] {
	case "has":
		return has(words[1], words[2], words[4])
	case "make":
		return build(words[1], words[2], words[4], words[5], words[6])
	case "merge":
		return merge(words[1], words[2], words[3], words[4])
	}
	return "", fmt.Errorf("%s is not known", words[0])
}

func main() {
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		line, err := answer(strings.Split(requests.Text(), "\t"))
		if err != nil {
			line = "error: " + err.Error()
		}
		fmt.Println(line)
	}
}
