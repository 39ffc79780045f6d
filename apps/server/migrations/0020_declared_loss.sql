CREATE TABLE "declared_loss" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"short_id" text NOT NULL,
	"batch" integer,
	"device" text,
	"after_seq" bigint,
	"reason" text NOT NULL,
	"time" bigint NOT NULL,
	CONSTRAINT "declared_loss_batch" UNIQUE("chain_id","short_id","batch")
);
--> statement-breakpoint
ALTER TABLE "telemetry_batch" ALTER COLUMN "file" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "device_head" ADD COLUMN "rejoins" boolean DEFAULT false NOT NULL;