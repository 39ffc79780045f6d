CREATE TABLE "operator_act" (
	"commitment" text PRIMARY KEY NOT NULL,
	"time" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "public_log" (
	"id" integer PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"seed" "bytea" NOT NULL,
	"size" bigint NOT NULL,
	"checkpoint" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "public_log_entry" (
	"arrival" bigserial PRIMARY KEY NOT NULL,
	"index" bigint,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"version" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"mac" text NOT NULL,
	"refused" boolean DEFAULT false NOT NULL,
	CONSTRAINT "public_log_entry_index_unique" UNIQUE("index")
);
--> statement-breakpoint
CREATE TABLE "public_log_node" (
	"level" integer NOT NULL,
	"index" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "public_log_node_level_index_pk" PRIMARY KEY("level","index")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "public_log_entry_version" ON "public_log_entry" USING btree ("kind","subject","version") WHERE not "public_log_entry"."refused";