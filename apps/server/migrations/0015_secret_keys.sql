CREATE TABLE "secret_key" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed" "bytea",
	"create_time" bigint NOT NULL
);
