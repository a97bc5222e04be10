// Package orchtest starts an Orch API server for tests: a real Kubernetes API in under a second, without etcd and without
// containers.
//
//	func TestController(t *testing.T) {
//		server := orchtest.Start(t)
//		config, err := clientcmd.RESTConfigFromKubeConfig(server.Kubeconfig())
//		...
//	}
package orchtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	pollInterval = 10 * time.Millisecond
	stopTimeout  = 10 * time.Second
)

// Server is a running server with a data directory of its own.
type Server struct {
	kubeconfigPath string
	kubeconfig     []byte
	dir            string
	stdin          io.Closer
	exited         chan struct{}
	process        *os.Process
}

// Options configure a server. The zero value is a server with memory storage on a free port of loopback.
type Options struct {
	// Command starts Orch. By default it is the environment variable ORCH, or orch in the PATH, or npx orch.
	Command []string
	// Flags are further flags of `orch serve`.
	Flags []string
	// Output receives what the server prints; it is also part of the error of a failed start.
	Output io.Writer
}

// Start starts a server that ends with the test. It fails the test if the server does not start.
func Start(t testing.TB, flags ...string) *Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	server, err := StartServer(ctx, Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

// StartServer starts a server, for programs that are not tests and for TestMain. The caller stops it.
func StartServer(ctx context.Context, options Options) (*Server, error) {
	dir, err := os.MkdirTemp("", "orchtest-")
	if err != nil {
		return nil, err
	}
	server, err := start(ctx, dir, options)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return server, nil
}

func start(ctx context.Context, dir string, options Options) (*Server, error) {
	words := append(commandOf(options),
		"serve", "--dialect=kubernetes", "--storage=memory", "--bind-address=127.0.0.1", "--secure-port=auto", "--data-dir="+dir)
	words = append(words, options.Flags...)
	var output strings.Builder
	command := exec.Command(words[0], words[1:]...)
	// The server ends with its standard input: also if this process is killed.
	command.Env = append(os.Environ(), "ORCH_END_WITH_STDIN=1")
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	command.Stdout = &output
	if options.Output != nil {
		command.Stdout = io.MultiWriter(&output, options.Output)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("cannot start Orch, set ORCH to its command: %w", err)
	}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = command.Wait()
	}()
	server := &Server{
		kubeconfigPath: filepath.Join(dir, "kubeconfig"),
		dir:            dir,
		stdin:          stdin,
		exited:         exited,
		process:        command.Process,
	}
	if err := server.waitUntilReady(ctx); err != nil {
		server.Stop()
		return nil, fmt.Errorf("%s did not become ready: %w\n%s", strings.Join(words, " "), err, output.String())
	}
	return server, nil
}

// The server writes its kubeconfig once it is ready.
func (s *Server) waitUntilReady(ctx context.Context) error {
	for {
		kubeconfig, err := os.ReadFile(s.kubeconfigPath)
		if err == nil {
			s.kubeconfig = kubeconfig
			return nil
		}
		select {
		case <-s.exited:
			return errors.New("it ended")
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollInterval):
		}
	}
}

// Kubeconfig is the kubeconfig of a cluster administrator, for clientcmd.RESTConfigFromKubeConfig.
func (s *Server) Kubeconfig() []byte { return s.kubeconfig }

// KubeconfigPath is a file with the kubeconfig, for programs such as kubectl.
func (s *Server) KubeconfigPath() string { return s.kubeconfigPath }

// Stop stops the server and deletes its data.
func (s *Server) Stop() {
	_ = s.stdin.Close()
	select {
	case <-s.exited:
	case <-time.After(stopTimeout):
		_ = s.process.Kill()
		<-s.exited
	}
	_ = os.RemoveAll(s.dir)
}

func commandOf(options Options) []string {
	if len(options.Command) > 0 {
		return append([]string{}, options.Command...)
	}
	if configured := strings.Fields(os.Getenv("ORCH")); len(configured) > 0 {
		return configured
	}
	if _, err := exec.LookPath("orch"); err == nil {
		return []string{"orch"}
	}
	return []string{"npx", "--yes", "orch"}
}
