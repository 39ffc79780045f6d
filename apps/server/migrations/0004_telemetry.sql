CREATE TABLE "anchor" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"time" bigint NOT NULL,
	"hash" text NOT NULL,
	"stream" text NOT NULL,
	"number" integer NOT NULL,
	"root" text NOT NULL,
	"from" bigint NOT NULL,
	"to" bigint NOT NULL,
	"count" integer NOT NULL,
	"data_hash" text NOT NULL,
	"head" text NOT NULL,
	CONSTRAINT "anchor_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "device_key" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"time" bigint NOT NULL,
	"device" text NOT NULL,
	"what" text NOT NULL,
	"kind" integer NOT NULL,
	"x" text,
	"y" text,
	"valid_from" bigint NOT NULL,
	CONSTRAINT "device_key_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "kept_head" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"time" bigint NOT NULL,
	"stream" text NOT NULL,
	"number" integer NOT NULL,
	"head" text NOT NULL,
	CONSTRAINT "kept_head_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "device" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"short_id" text NOT NULL,
	"metric" text NOT NULL,
	"exponent" smallint NOT NULL,
	"place" text NOT NULL,
	"latitude" double precision NOT NULL,
	"longitude" double precision NOT NULL,
	"model" text NOT NULL,
	"trust" text NOT NULL,
	"min" bigint NOT NULL,
	"max" bigint NOT NULL,
	"max_step" bigint,
	"interval" bigint NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"create_time" bigint NOT NULL,
	"retired_time" bigint,
	CONSTRAINT "device_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "device_head" (
	"device" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"time" bigint NOT NULL,
	"accepted" bigint NOT NULL,
	"good_seq" bigint,
	"good_time" bigint,
	"good_value" bigint,
	"repeats" integer NOT NULL,
	"readings" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reading" (
	"device" integer NOT NULL,
	"seq" bigint NOT NULL,
	"time" bigint NOT NULL,
	"accepted" bigint NOT NULL,
	"value" bigint NOT NULL,
	"prev" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"flaw" text,
	CONSTRAINT "reading_device_seq_time_pk" PRIMARY KEY("device","seq","time")
) PARTITION BY RANGE ("time");
--> statement-breakpoint
CREATE TABLE "reading_bucket" (
	"device" integer NOT NULL,
	"span" integer NOT NULL,
	"start" bigint NOT NULL,
	"count" integer NOT NULL,
	"bounds" integer NOT NULL,
	"jump" integer NOT NULL,
	"frozen" integer NOT NULL,
	"backwards" integer NOT NULL,
	"min" bigint,
	"max" bigint,
	"sum" numeric(40, 0) NOT NULL,
	"first_time" bigint,
	"first_value" bigint,
	"last_time" bigint,
	"last_value" bigint,
	CONSTRAINT "reading_bucket_device_span_start_pk" PRIMARY KEY("device","span","start")
);
--> statement-breakpoint
CREATE TABLE "refusal_count" (
	"day" date NOT NULL,
	"device" text NOT NULL,
	"reason" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "refusal_count_day_device_reason_pk" PRIMARY KEY("day","device","reason")
);
--> statement-breakpoint
CREATE TABLE "refused_reading" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"received" bigint NOT NULL,
	"device" text,
	"reason" text NOT NULL,
	"message" text NOT NULL,
	"via" text NOT NULL,
	"payload" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "telemetry_batch" (
	"chain_id" bigint NOT NULL,
	"stream" text NOT NULL,
	"number" integer NOT NULL,
	"short_id" text NOT NULL,
	"previous_head" text NOT NULL,
	"root" text NOT NULL,
	"from" bigint NOT NULL,
	"to" bigint NOT NULL,
	"count" integer NOT NULL,
	"data_hash" text NOT NULL,
	"head" text NOT NULL,
	"file" "bytea" NOT NULL,
	"create_time" bigint NOT NULL,
	"hash" text,
	CONSTRAINT "telemetry_batch_chain_id_stream_number_pk" PRIMARY KEY("chain_id","stream","number")
);
--> statement-breakpoint
CREATE TABLE "telemetry_batch_part" (
	"chain_id" bigint NOT NULL,
	"stream" text NOT NULL,
	"number" integer NOT NULL,
	"device" integer NOT NULL,
	"first_seq" bigint NOT NULL,
	"last_seq" bigint NOT NULL,
	CONSTRAINT "telemetry_batch_part_chain_id_stream_number_device_pk" PRIMARY KEY("chain_id","stream","number","device")
);
--> statement-breakpoint
CREATE INDEX "anchor_of_stream" ON "anchor" USING btree ("chain_id","stream","number");--> statement-breakpoint
CREATE INDEX "anchor_by_head" ON "anchor" USING btree ("chain_id","head");--> statement-breakpoint
CREATE INDEX "device_key_of_device" ON "device_key" USING btree ("chain_id","device","valid_from");--> statement-breakpoint
CREATE INDEX "kept_head_of_stream" ON "kept_head" USING btree ("chain_id","stream","number");--> statement-breakpoint
CREATE INDEX "device_of_product" ON "device" USING btree ("chain_id","short_id");--> statement-breakpoint
CREATE INDEX "reading_at" ON "reading" USING btree ("device","time");--> statement-breakpoint
CREATE INDEX "refused_of_device" ON "refused_reading" USING btree ("device","id");--> statement-breakpoint
CREATE INDEX "refused_at" ON "refused_reading" USING btree ("received");--> statement-breakpoint
CREATE INDEX "batch_part_of_device" ON "telemetry_batch_part" USING btree ("device","last_seq");--> statement-breakpoint
-- What was read before did not know of anchors and keys: everything of the chains is read anew.
TRUNCATE "product", "product_state", "vault_state", "position", "movement", "report", "queue_place", "queue_batch", "term_state", "term", "receipt", "privileged_act", "identity_record", "block", "chain_cursor";
