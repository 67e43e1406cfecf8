// A small S3 server (path style) on loopback, which also answers as a web server, for benches/far.
//
//	server FOLDER ADDRESS=DELAY ...
//
// Every address serves the same values, each as a file in FOLDER, which belongs in memory (/dev/shm): they are sent by
// sendfile, so that next to nothing of the processor goes to the server. An answer begins DELAY after its request has
// arrived. It knows GET (ranges, conditions), HEAD, PUT (If-Match, If-None-Match), DELETE, DeleteObjects and
// ListObjectsV2, and checks no signature. GET /__counts: how many requests its address had since the last time;
// GET /__drop?prefix=P: deletes what begins with P.
package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type value struct {
	path, etag string
	size       int64
	changed    time.Time
}

type store struct {
	folder string
	lock   sync.RWMutex
	values map[string]value
	keys   []string // sorted
	files  int
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 256<<10); return &b }}

// receive writes a body to a file of its own.
func (s *store) receive(body io.Reader) (value, error) {
	s.lock.Lock()
	s.files++
	number := s.files
	s.lock.Unlock()
	v := value{path: filepath.Join(s.folder, strconv.Itoa(number)), etag: fmt.Sprintf("\"%x\"", number), changed: time.Now()}
	file, err := os.Create(v.path)
	if err != nil {
		return v, err
	}
	defer file.Close()
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	v.size, err = io.CopyBuffer(struct{ io.Writer }{file}, struct{ io.Reader }{body}, *buffer)
	return v, err
}

// remove forgets a key, with the lock held.
func (s *store) remove(key string) {
	if v, there := s.values[key]; there {
		os.Remove(v.path)
		delete(s.values, key)
		at := sort.SearchStrings(s.keys, key)
		s.keys = append(s.keys[:at], s.keys[at+1:]...)
	}
}

// put makes v the value of a key if the request's conditions hold; if not, it says why.
func (s *store) put(key string, v value, conditions http.Header) (status int, code string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	old, there := s.values[key]
	match := conditions.Get("If-Match")
	switch {
	case match != "" && !there:
		return http.StatusNotFound, "NoSuchKey"
	case match != "" && match != "*" && match != old.etag:
		return http.StatusPreconditionFailed, "PreconditionFailed"
	case conditions.Get("If-None-Match") == "*" && there:
		return http.StatusPreconditionFailed, "PreconditionFailed"
	case there:
		os.Remove(old.path)
	default:
		at := sort.SearchStrings(s.keys, key)
		s.keys = append(s.keys, "")
		copy(s.keys[at+1:], s.keys[at:])
		s.keys[at] = key
	}
	s.values[key] = v
	return http.StatusOK, ""
}

type entry struct {
	Key, LastModified, ETag string
	Size                    int64
}

type prefix struct{ Prefix string }

type page struct {
	XMLName               xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListBucketResult"`
	Name, Prefix          string
	KeyCount, MaxKeys     int
	Delimiter             string `xml:",omitempty"`
	EncodingType          string `xml:",omitempty"`
	IsTruncated           bool
	NextContinuationToken string `xml:",omitempty"`
	Contents              []entry
	CommonPrefixes        []prefix
}

func (s *store) list(bucket string, query url.Values) page {
	below, delimiter := query.Get("prefix"), query.Get("delimiter")
	encoded := func(text string) string { return text }
	if query.Get("encoding-type") == "url" {
		encoded = url.QueryEscape
	}
	answer := page{Name: bucket, Prefix: encoded(below), MaxKeys: 1000, Delimiter: encoded(delimiter), EncodingType: query.Get("encoding-type")}
	if asked, err := strconv.Atoi(query.Get("max-keys")); err == nil && asked < answer.MaxKeys {
		answer.MaxKeys = asked
	}
	after := query.Get("start-after")
	if token := query.Get("continuation-token"); token != "" {
		after = token
	}
	s.lock.RLock()
	defer s.lock.RUnlock()
	full, last := bucket+"/"+below, ""
	for _, key := range s.keys[sort.SearchStrings(s.keys, full):] {
		if !strings.HasPrefix(key, full) {
			break
		}
		name, common := key[len(bucket)+1:], false
		if delimiter != "" {
			if end := strings.Index(name[len(below):], delimiter); end >= 0 {
				name, common = name[:len(below)+end+len(delimiter)], true
			}
		}
		if name <= after || common && name == last {
			continue
		}
		if answer.KeyCount == answer.MaxKeys {
			answer.IsTruncated, answer.NextContinuationToken = true, last
			break
		}
		answer.KeyCount++
		last = name
		if common {
			answer.CommonPrefixes = append(answer.CommonPrefixes, prefix{encoded(name)})
		} else {
			v := s.values[key]
			answer.Contents = append(answer.Contents, entry{encoded(name), v.changed.UTC().Format("2006-01-02T15:04:05.000Z"), v.etag, v.size})
		}
	}
	return answer
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>%s</Code><Message>%s</Message></Error>", code, code)
}

func (s *store) serve(w http.ResponseWriter, r *http.Request, wait func()) {
	key := strings.TrimPrefix(r.URL.Path, "/")
	bucket, name, _ := strings.Cut(key, "/")
	query := r.URL.Query()
	switch {
	case r.Method == "GET" && name == "":
		wait()
		w.Header().Set("Content-Type", "application/xml")
		io.WriteString(w, xml.Header)
		xml.NewEncoder(w).Encode(s.list(bucket, query))
	case r.Method == "POST" && query.Has("delete"):
		var asked struct{ Object []struct{ Key string } }
		err := xml.NewDecoder(r.Body).Decode(&asked)
		wait()
		if err != nil {
			refuse(w, http.StatusBadRequest, "MalformedXML")
			return
		}
		s.lock.Lock()
		for _, object := range asked.Object {
			s.remove(bucket + "/" + object.Key)
		}
		s.lock.Unlock()
		io.WriteString(w, "<DeleteResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"></DeleteResult>")
	case (r.Method == "GET" || r.Method == "HEAD") && name != "":
		wait()
		s.lock.RLock()
		v, there := s.values[key]
		var file *os.File
		var err error
		if there {
			file, err = os.Open(v.path) // of its own for each request: sendfile moves its position
		}
		s.lock.RUnlock()
		if !there {
			refuse(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		if err != nil {
			refuse(w, http.StatusInternalServerError, "InternalError")
			return
		}
		defer file.Close()
		w.Header().Set("ETag", v.etag)
		w.Header().Set("Content-Type", "binary/octet-stream")
		http.ServeContent(w, r, "", v.changed, file)
	case r.Method == "PUT" && name != "" && !strings.Contains(r.Header.Get("Content-Encoding"), "aws-chunked"):
		v, err := s.receive(r.Body)
		wait()
		status, code := http.StatusBadRequest, "IncompleteBody"
		if err == nil {
			status, code = s.put(key, v, r.Header)
		}
		if status != http.StatusOK {
			os.Remove(v.path)
			refuse(w, status, code)
			return
		}
		w.Header().Set("ETag", v.etag)
	case r.Method == "DELETE" && name != "":
		wait()
		s.lock.Lock()
		s.remove(key)
		s.lock.Unlock()
		w.WriteHeader(http.StatusNoContent)
	default:
		refuse(w, http.StatusNotImplemented, "NotImplemented")
	}
}

// drop deletes the keys that begin with a prefix.
func (s *store) drop(prefix string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for {
		at := sort.SearchStrings(s.keys, prefix)
		if at == len(s.keys) || !strings.HasPrefix(s.keys[at], prefix) {
			return
		}
		s.remove(s.keys[at])
	}
}

// at is what one address answers: the store's values, after a delay, counted.
func (s *store) at(delay time.Duration) http.Handler {
	var lock sync.Mutex
	counts := map[string]int{"total": 0}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/__counts":
			lock.Lock()
			json.NewEncoder(w).Encode(counts)
			counts = map[string]int{"total": 0}
			lock.Unlock()
		case "/__drop":
			s.drop(r.URL.Query().Get("prefix"))
		default:
			kind := r.Method
			if kind == "GET" && r.URL.Query().Has("list-type") {
				kind = "LIST"
			}
			lock.Lock()
			counts[kind]++
			counts["total"]++
			lock.Unlock()
			s.serve(w, r, func() { time.Sleep(delay) })
		}
	})
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: server FOLDER ADDRESS=DELAY ...")
		os.Exit(2)
	}
	s := &store{folder: os.Args[1], values: map[string]value{}}
	failed := make(chan error)
	for _, place := range os.Args[2:] {
		address, text, _ := strings.Cut(place, "=")
		delay, err := time.ParseDuration(text)
		if err != nil {
			fmt.Fprintf(os.Stderr, "server: %s: expected ADDRESS=DELAY, such as 127.0.0.1:18400=20ms\n", place)
			os.Exit(2)
		}
		go func() { failed <- http.ListenAndServe(address, s.at(delay)) }()
	}
	fmt.Fprintln(os.Stderr, "server:", <-failed)
	os.Exit(1)
}
