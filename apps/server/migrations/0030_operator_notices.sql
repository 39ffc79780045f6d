CREATE TABLE "operator_notice" (
	"key" text PRIMARY KEY NOT NULL,
	"time" bigint NOT NULL
);
