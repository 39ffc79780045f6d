CREATE TABLE "leadership" (
	"work" text PRIMARY KEY NOT NULL,
	"leader" text NOT NULL,
	"until" timestamp with time zone NOT NULL
);
