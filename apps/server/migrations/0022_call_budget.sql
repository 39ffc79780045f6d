-- Unlogged: after a crash of the database it is empty, which costs a minute's limits, and its writes cost no flush.
CREATE UNLOGGED TABLE "call_budget" (
	"key" text PRIMARY KEY NOT NULL,
	"taken" bigint NOT NULL,
	"ends" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "call_budget_ends" ON "call_budget" USING btree ("ends");
