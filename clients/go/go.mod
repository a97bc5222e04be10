module orch.io/orchtest

go 1.21
