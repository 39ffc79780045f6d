CREATE TABLE "webhook_cursor" (
	"chain_id" bigint PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_event" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"time" bigint NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"last_try" bigint,
	"last_answer" text,
	"delivered_time" bigint,
	"create_time" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "webhook_event_of_time" ON "webhook_event" USING btree ("create_time");