(* Division that rounds down and division that rounds up, as OpenZeppelin's `mulDiv` does both. *)
From Coq Require Import ZArith Lia.
Open Scope Z_scope.

(* a · b / c, rounded down. *)
Definition mulDivDown (a b c : Z) : Z := a * b / c.

(* a · b / c, rounded up. *)
Definition mulDivUp (a b c : Z) : Z := - ((- (a * b)) / c).

(* The rounded quotient times the divisor is at most the product, and within one divisor of it. *)
Lemma down_bounds a b c : 0 < c -> mulDivDown a b c * c <= a * b < (mulDivDown a b c + 1) * c.
Proof.
  intros positive. unfold mulDivDown.
  pose proof (Z.mul_div_le (a * b) c positive).
  pose proof (Z.mul_succ_div_gt (a * b) c positive). lia.
Qed.

Lemma up_bounds a b c : 0 < c -> (mulDivUp a b c - 1) * c < a * b <= mulDivUp a b c * c.
Proof.
  intros positive. unfold mulDivUp.
  pose proof (Z.mul_div_le (- (a * b)) c positive).
  pose proof (Z.mul_succ_div_gt (- (a * b)) c positive). lia.
Qed.

Lemma down_nonnegative a b c : 0 <= a -> 0 <= b -> 0 < c -> 0 <= mulDivDown a b c.
Proof. intros. apply Z.div_pos; [apply Z.mul_nonneg_nonneg|]; assumption. Qed.

Lemma up_nonnegative a b c : 0 <= a -> 0 <= b -> 0 < c -> 0 <= mulDivUp a b c.
Proof.
  intros. pose proof (up_bounds a b c). pose proof (Z.mul_nonneg_nonneg a b).
  destruct (Z.lt_ge_cases (mulDivUp a b c) 0); [|assumption].
  pose proof (Z.mul_neg_pos (mulDivUp a b c) c). lia.
Qed.

(* A quotient is at most a whole number that is at least the exact quotient. *)
Lemma down_at_most a b c most : 0 < c -> a * b < (most + 1) * c -> mulDivDown a b c <= most.
Proof.
  intros positive below. pose proof (down_bounds a b c positive).
  apply Z.lt_succ_r. apply (Z.mul_lt_mono_pos_r c); lia.
Qed.

Lemma up_at_most a b c most : 0 < c -> a * b <= most * c -> mulDivUp a b c <= most.
Proof.
  intros positive below. pose proof (up_bounds a b c positive).
  apply Z.lt_succ_r, Z.lt_sub_lt_add_r. apply (Z.mul_lt_mono_pos_r c); lia.
Qed.

Lemma down_monotone a a' b c : 0 <= b -> 0 < c -> a <= a' -> mulDivDown a b c <= mulDivDown a' b c.
Proof. intros. apply Z.div_le_mono; [|apply Z.mul_le_mono_nonneg_r]; assumption. Qed.

Lemma up_monotone a a' b c : 0 <= b -> 0 < c -> a <= a' -> mulDivUp a b c <= mulDivUp a' b c.
Proof.
  intros. unfold mulDivUp. apply -> Z.opp_le_mono. apply Z.div_le_mono; [assumption|].
  apply -> Z.opp_le_mono. apply Z.mul_le_mono_nonneg_r; assumption.
Qed.

(* Two parts rounded down are no more than their sum rounded down, *)
Lemma down_adds a a' b c : 0 < c -> mulDivDown a b c + mulDivDown a' b c <= mulDivDown (a + a') b c.
Proof.
  intros positive. pose proof (down_bounds a b c positive). pose proof (down_bounds a' b c positive).
  pose proof (down_bounds (a + a') b c positive). apply Z.lt_succ_r. apply (Z.mul_lt_mono_pos_r c); lia.
Qed.

(* and rounded up no less. *)
Lemma up_adds a a' b c : 0 < c -> mulDivUp (a + a') b c <= mulDivUp a b c + mulDivUp a' b c.
Proof.
  intros positive. pose proof (up_bounds a b c positive). pose proof (up_bounds a' b c positive).
  apply up_at_most; lia.
Qed.

(* A whole number times its divisor divides exactly. *)
Lemma up_exact a c : 0 < c -> mulDivUp a c c = a.
Proof. intros. unfold mulDivUp. rewrite <- Z.mul_opp_l, Z.div_mul; lia. Qed.
