package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracemill/tracemill/sandbox"
)

func newImage(asJSON *bool) *cobra.Command {
	c := &cobra.Command{
		Use:   "image",
		Short: "Make and list sandbox images",
		Args:  exactly(0),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newImageBuild(asJSON), newImageList(asJSON))
	return c
}

func newImageBuild(asJSON *bool) *cobra.Command {
	var opts sandbox.DockerOptions
	c := &cobra.Command{
		Use:   "build",
		Short: "Find or make the image that a config's sandbox section would take",
		Example: "  tracemill image build                                  # official slim image, or the host's python3\n" +
			"  tracemill image build --image host --python python3.12\n" +
			"  tracemill image build --image tar:python.tar",
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			opts.Log = func(line string) { fmt.Fprintln(c.ErrOrStderr(), line) }
			image, err := sandbox.EnsureImage(c.Context(), opts)
			if err != nil {
				return err
			}
			return writeImages(c, *asJSON, []sandbox.Image{image})
		},
	}
	c.Flags().StringVar(&opts.Host, "host", "", "address of the engine; default: DOCKER_HOST, else the usual socket")
	c.Flags().StringVar(&opts.Image, "image", "auto", "auto, host, tar:PATH or a reference")
	c.Flags().StringVar(&opts.Python, "python", "", "interpreter on this machine to build from; default: python3")
	return c
}

func newImageList(asJSON *bool) *cobra.Command {
	var opts sandbox.DockerOptions
	c := &cobra.Command{
		Use:   "list",
		Short: "List the images that tracemill made",
		Args:  exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			images, err := sandbox.ListImages(c.Context(), opts)
			if err != nil {
				return err
			}
			return writeImages(c, *asJSON, images)
		},
	}
	c.Flags().StringVar(&opts.Host, "host", "", "address of the engine; default: DOCKER_HOST, else the usual socket")
	return c
}

func writeImages(c *cobra.Command, asJSON bool, images []sandbox.Image) error {
	out := c.OutOrStdout()
	if asJSON {
		return writeJSON(out, images)
	}
	for _, i := range images {
		if _, err := fmt.Fprintf(out, "%-30s CPython %-8s %s\n", i.Name, i.Version, i.ID); err != nil {
			return err
		}
	}
	return nil
}
