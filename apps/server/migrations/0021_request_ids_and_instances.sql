CREATE TABLE "instance" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"host" text NOT NULL,
	"roles" text[] NOT NULL,
	"start_time" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_time" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "job" ADD COLUMN "request_id" text;