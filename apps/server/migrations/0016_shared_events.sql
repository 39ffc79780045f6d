CREATE TABLE "shared_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"process" uuid NOT NULL,
	"name" text NOT NULL,
	"data" jsonb NOT NULL,
	"account_id" text,
	"create_time" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "shared_event_of_time" ON "shared_event" USING btree ("create_time");