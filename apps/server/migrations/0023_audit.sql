CREATE TABLE "audit_finding" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"block" bigint,
	"table" text NOT NULL,
	"row" text NOT NULL,
	"column" text NOT NULL,
	"expected" text,
	"found" text,
	"product" text,
	"wallet" text,
	"device" text,
	"since" bigint NOT NULL,
	"healed" bigint
);
--> statement-breakpoint
CREATE TABLE "audit_run" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"start_time" bigint NOT NULL,
	"end_time" bigint,
	"block" bigint,
	"time" bigint,
	"figures" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_finding_open" ON "audit_finding" USING btree ("chain_id","table","row","column") WHERE "audit_finding"."healed" is null;--> statement-breakpoint
CREATE INDEX "audit_run_of_chain" ON "audit_run" USING btree ("chain_id","id");