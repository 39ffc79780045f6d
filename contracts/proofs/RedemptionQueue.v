(* The accounting of contracts/src/RedemptionQueue.sol and queue/QueueLine.sol: one line of shares, served from its head in batches, each at one
   price, and the money set aside for those who stand in it.

   Who claims for whom, and when a request becomes payable, only refuse calls or bound how much is processed, and are left
   out. *)
From Coq Require Import ZArith Lia List.
From Aqua Require Import Rounding.
Import ListNotations.
Open Scope Z_scope.

(* The line up to a share, and the assets for all of it up to there. *)
Record batch := Batch { upTo : Z; assetsUpTo : Z }.

(* A request: it stands in the line from `first` on, behind whom there was before; `drawn` of its assets are claimed. *)
Record place := Place { first : Z; size : Z; drawn : Z }.

Record queue := Queue {
  batches : list batch; (* the newest first *)
  places : list place;  (* the newest first *)
  aside : Z             (* money set aside *)
}.

Definition newQueue : queue := Queue [] [] 0.

Definition processed (done : list batch) : Z := match done with [] => 0 | b :: _ => upTo b end.
Definition paid (done : list batch) : Z := match done with [] => 0 | b :: _ => assetsUpTo b end.
Definition lineEnd (line : list place) : Z := match line with [] => 0 | p :: _ => first p + size p end.

(* Assets for the first `shares` of the line, as far as it is processed. *)
Fixpoint paidFor (done : list batch) (shares : Z) : Z :=
  match done with
  | [] => 0
  | b :: before =>
      if shares <=? processed before then paidFor before shares
      else paid before
        + mulDivDown (Z.min shares (upTo b) - processed before) (assetsUpTo b - paid before) (upTo b - processed before)
  end.

(* What a request is paid so far, and what it can still claim of that. *)
Definition payout (done : list batch) (p : place) : Z := paidFor done (first p + size p) - paidFor done (first p).
Definition claimable (done : list batch) (p : place) : Z := payout done p - drawn p.

Inductive step :=
  | Join (shares : Z)             (* a request, at the end of the line *)
  | Serve (shares assets : Z)     (* so many shares more of the head were redeemed for so much, which is set aside *)
  | Claim (number assets : Z).    (* the request of this number, the newest is 0, claims so much *)

Fixpoint draw (line : list place) (number : nat) (assets : Z) : list place :=
  match line, number with
  | [], _ => []
  | p :: rest, O => Place (first p) (size p) (drawn p + assets) :: rest
  | p :: rest, S n => p :: draw rest n assets
  end.

Definition go (q : queue) (s : step) : option queue :=
  match s with
  | Join shares =>
      if 0 <? shares then Some (Queue (batches q) (Place (lineEnd (places q)) shares 0 :: places q) (aside q)) else None
  | Serve shares assets =>
      if ((0 <? shares) && (0 <=? assets) && (processed (batches q) + shares <=? lineEnd (places q)))%bool
      then Some (Queue (Batch (processed (batches q) + shares) (paid (batches q) + assets) :: batches q) (places q)
        (aside q + assets))
      else None
  | Claim number assets =>
      match nth_error (places q) (Z.to_nat number) with
      | Some p =>
          if ((0 <=? assets) && (assets <=? claimable (batches q) p))%bool
          then Some (Queue (batches q) (draw (places q) (Z.to_nat number) assets) (aside q - assets))
          else None
      | None => None
      end
  end.

(* Each batch ends behind the one before, and pays no less than nothing. *)
Fixpoint rising (done : list batch) : Prop :=
  match done with
  | [] => True
  | b :: before => processed before < upTo b /\ paid before <= assetsUpTo b /\ rising before
  end.

(* Each request begins where the one before it ends. *)
Fixpoint inLine (line : list place) : Prop :=
  match line with
  | [] => True
  | p :: before => first p = lineEnd before /\ 0 < size p /\ inLine before
  end.

Fixpoint sum (f : place -> Z) (line : list place) : Z :=
  match line with [] => 0 | p :: rest => f p + sum f rest end.

Record sound (q : queue) : Prop := Sound {
  soundBatches : rising (batches q);
  soundLine : inLine (places q);
  soundHead : processed (batches q) <= lineEnd (places q);
  soundDrawn : Forall (fun p => 0 <= drawn p <= payout (batches q) p) (places q);
  soundAside : aside q = paid (batches q) - sum drawn (places q)
}.

Lemma processed_nonnegative done : rising done -> 0 <= processed done.
Proof. induction done as [|b before IH]; cbn; [lia|]. intros (later & _ & r). specialize (IH r). lia. Qed.

(* Within a batch the payouts rise from nothing to all of it. *)
Lemma part_bounds part whole assets : 0 < whole -> 0 <= assets -> 0 <= part <= whole ->
  0 <= mulDivDown part assets whole <= assets.
Proof.
  intros some money fits. split; [apply down_nonnegative; lia|]. apply down_at_most; [assumption|].
  apply Z.le_lt_trans with (whole * assets); [apply Z.mul_le_mono_nonneg_r; lia|]. lia.
Qed.

Lemma paidFor_bounds done shares : rising done -> 0 <= shares -> 0 <= paidFor done shares <= paid done.
Proof.
  induction done as [|b before IH]; cbn [rising paidFor paid]; [lia|]. intros (later & more & r) some.
  specialize (IH r some). destruct (Z.leb_spec shares (processed before)); [lia|].
  pose proof (part_bounds (Z.min shares (upTo b) - processed before) (upTo b - processed before)
    (assetsUpTo b - paid before) ltac:(lia) ltac:(lia) ltac:(lia)).
  assert (0 <= paid before) by lia. lia.
Qed.

Lemma paidFor_rises done a b : rising done -> 0 <= a <= b -> paidFor done a <= paidFor done b.
Proof.
  induction done as [|newest before IH]; cbn [rising paidFor]; [lia|]. intros (later & more & r) order.
  specialize (IH r order). pose proof (paidFor_bounds before a r ltac:(lia)).
  destruct (Z.leb_spec a (processed before)); destruct (Z.leb_spec b (processed before)); try lia.
  - pose proof (part_bounds (Z.min b (upTo newest) - processed before) (upTo newest - processed before)
      (assetsUpTo newest - paid before)). lia.
  - enough (mulDivDown (Z.min a (upTo newest) - processed before) (assetsUpTo newest - paid before)
        (upTo newest - processed before)
      <= mulDivDown (Z.min b (upTo newest) - processed before) (assetsUpTo newest - paid before)
        (upTo newest - processed before)) by lia.
    apply down_monotone; lia.
Qed.

(* All of the line that is processed is paid all that was paid for it. *)
Lemma paidFor_all done shares : rising done -> processed done <= shares -> paidFor done shares = paid done.
Proof.
  destruct done as [|b before]; cbn [rising paidFor paid processed]; [reflexivity|]. intros (later & more & r) whole.
  destruct (Z.leb_spec shares (processed before)); [lia|].
  replace (Z.min shares (upTo b)) with (upTo b) by lia. unfold mulDivDown.
  rewrite Z.mul_comm, Z.div_mul; lia.
Qed.

Lemma paidFor_nothing done : rising done -> paidFor done 0 = 0.
Proof.
  induction done as [|b before IH]; cbn [rising paidFor]; [reflexivity|]. intros (later & more & r).
  pose proof (processed_nonnegative before r). destruct (Z.leb_spec 0 (processed before)); [auto|lia].
Qed.

(* 3. In order: what a later batch pays changes nothing of what was paid for the line before it. *)
Theorem served_in_order done b shares : shares <= processed done -> paidFor (b :: done) shares = paidFor done shares.
Proof. intros before. cbn [paidFor]. destruct (Z.leb_spec shares (processed done)); [reflexivity|lia]. Qed.

(* And a request gets nothing before all of the line ahead of it is processed. *)
Theorem nobody_before_those_ahead done p : rising done -> 0 < size p -> processed done <= first p -> payout done p = 0.
Proof. intros r some ahead. unfold payout. rewrite !paidFor_all by (assumption || lia). lia. Qed.

(* One price for all in a batch: what so many of its shares are paid, wherever in it they stand, is within a unit of their
   exact part, shares · assets of the batch / shares of the batch; multiplied out. *)
Theorem one_price_in_a_batch before b from size : rising (b :: before) -> 0 <= size ->
  processed before <= from -> from + size <= upTo b ->
  let assets := assetsUpTo b - paid before in
  let shares := upTo b - processed before in
  let got := paidFor (b :: before) (from + size) - paidFor (b :: before) from in
  (got - 1) * shares < size * assets < (got + 1) * shares.
Proof.
  intros (later & more & r) some behind ahead assets shares got.
  assert (within : forall x, processed before <= x <= upTo b ->
    paidFor (b :: before) x = paid before + mulDivDown (x - processed before) assets shares).
  { intros x fits. cbn [paidFor]. destruct (Z.leb_spec x (processed before)).
    - replace (x - processed before) with 0 by lia. unfold mulDivDown. rewrite Z.mul_0_l, Z.div_0_l by lia.
      rewrite paidFor_all by (assumption || lia). lia.
    - replace (Z.min x (upTo b)) with x by lia. reflexivity. }
  subst got. rewrite !within by lia.
  pose proof (down_bounds (from + size - processed before) assets shares ltac:(lia)).
  pose proof (down_bounds (from - processed before) assets shares ltac:(lia)).
  nia.
Qed.

(* Requests side by side add up to all that was paid. *)
Lemma payouts_add_up done line : rising done -> inLine line ->
  sum (payout done) line = paidFor done (lineEnd line).
Proof.
  intros r. induction line as [|p before IH]; cbn [inLine sum lineEnd].
  - rewrite paidFor_nothing by assumption. reflexivity.
  - intros (next & some & i). rewrite IH by assumption. unfold payout. rewrite next. lia.
Qed.

Lemma lineEnd_nonnegative line : inLine line -> 0 <= lineEnd line.
Proof.
  induction line as [|p before IH]; cbn [inLine]; [cbn; lia|]. intros (next & some & i). specialize (IH i).
  cbn [lineEnd]. lia.
Qed.

Lemma sum_drop line f g : sum (fun p => f p - g p) line = sum f line - sum g line.
Proof. induction line; cbn; lia. Qed.

(* 4. Set-aside money covers all claims at all times, to the unit. *)
Theorem aside_is_what_can_be_claimed q : sound q -> aside q = sum (claimable (batches q)) (places q).
Proof.
  intros []. unfold claimable. rewrite sum_drop, payouts_add_up by assumption.
  rewrite paidFor_all by assumption. assumption.
Qed.

Lemma one_of_sum f line p : Forall (fun p => 0 <= f p) line -> In p line -> 0 <= f p <= sum f line.
Proof.
  intros all. assert (positive : 0 <= sum f line) by (induction all; cbn; lia).
  induction all as [|x rest some others IH]; cbn; [tauto|].
  assert (0 <= sum f rest) by (clear -others; induction others; cbn; lia).
  intros [<-|later]; [lia|]. specialize (IH ltac:(assumption) later). lia.
Qed.

(* So each claim finds its money. *)
Theorem each_claim_is_covered q p : sound q -> In p (places q) -> 0 <= claimable (batches q) p <= aside q.
Proof.
  intros s here. rewrite (aside_is_what_can_be_claimed q s). apply one_of_sum; [|assumption].
  apply (Forall_impl _ (P := fun p => 0 <= drawn p <= payout (batches q) p)); [|apply soundDrawn; assumption].
  unfold claimable. intros a fits. lia.
Qed.

Lemma inLine_first line p : inLine line -> In p line -> 0 <= first p /\ 0 < size p /\ first p + size p <= lineEnd line.
Proof.
  induction line as [|newest before IH]; cbn [inLine lineEnd]; [cbn; tauto|]. intros (next & some & i) [<-|earlier].
  - pose proof (lineEnd_nonnegative before i). lia.
  - specialize (IH i earlier). lia.
Qed.

(* A batch more leaves no request less. *)
Lemma payout_grows done b p : rising (b :: done) -> 0 <= first p -> 0 < size p -> payout done p <= payout (b :: done) p.
Proof.
  intros r from some. pose proof r as (later & more & before). unfold payout.
  destruct (Z.le_gt_cases (first p) (processed done)).
  - rewrite (served_in_order done b (first p)) by assumption.
    enough (paidFor done (first p + size p) <= paidFor (b :: done) (first p + size p)) by lia.
    destruct (Z.le_gt_cases (first p + size p) (processed done)).
    + rewrite served_in_order by assumption. lia.
    + rewrite (paidFor_all done) by (assumption || lia).
      rewrite <- (paidFor_all done (processed done)) by (assumption || lia).
      rewrite <- (served_in_order done b (processed done)) by lia.
      pose proof (processed_nonnegative done before). apply paidFor_rises; [assumption|lia].
  - rewrite !(paidFor_all done) by (assumption || lia).
    pose proof (paidFor_rises (b :: done) (first p) (first p + size p) r ltac:(lia)). lia.
Qed.

Lemma draw_lineEnd line n assets : lineEnd (draw line n assets) = lineEnd line.
Proof. destruct line, n; reflexivity. Qed.

Lemma draw_inLine line : forall n assets, inLine line -> inLine (draw line n assets).
Proof.
  induction line as [|p rest IH]; intros [|n] assets; cbn; try tauto.
  intros (next & some & i). rewrite draw_lineEnd. auto.
Qed.

Lemma draw_sum line : forall n assets p, nth_error line n = Some p ->
  sum drawn (draw line n assets) = sum drawn line + assets.
Proof.
  induction line as [|x rest IH]; intros [|n] assets p; cbn; try discriminate.
  - lia.
  - intros found. rewrite (IH n assets p found). lia.
Qed.

Lemma draw_fits done line : forall n assets p, nth_error line n = Some p ->
  Forall (fun p => 0 <= drawn p <= payout done p) line -> 0 <= assets <= claimable done p ->
  Forall (fun p => 0 <= drawn p <= payout done p) (draw line n assets).
Proof.
  induction line as [|x rest IH]; intros [|n] assets p; cbn; try discriminate.
  - intros found all fits. injection found as ->. inversion all; subst. constructor; [|assumption].
    unfold claimable, payout in *. cbn in *. lia.
  - intros found all fits. inversion all; subst. constructor; eauto.
Qed.

(* Every step keeps the queue sound. *)
Theorem queue_stays_sound q s q' : sound q -> go q s = Some q' -> sound q'.
Proof.
  intros [r i head fits money]. destruct s as [shares|shares assets|number assets]; cbn [go].
  - (* Join *)
    destruct (Z.ltb_spec 0 shares); [|discriminate]. intros [= <-].
    pose proof (lineEnd_nonnegative _ i).
    constructor; cbn [batches places aside inLine lineEnd first size drawn sum]; auto; try lia.
    constructor; [|assumption]. unfold payout; cbn [first size drawn].
    pose proof (paidFor_rises (batches q) (lineEnd (places q)) (lineEnd (places q) + shares) r ltac:(lia)). lia.
  - (* Serve *)
    destruct (Z.ltb_spec 0 shares), (Z.leb_spec 0 assets),
      (Z.leb_spec (processed (batches q) + shares) (lineEnd (places q))); try discriminate. intros [= <-].
    assert (r' : rising (Batch (processed (batches q) + shares) (paid (batches q) + assets) :: batches q))
      by (cbn; repeat split; lia || assumption).
    constructor; cbn [batches places aside processed paid upTo assetsUpTo]; auto; try lia.
    rewrite Forall_forall in *. intros p here. specialize (fits p here).
    pose proof (inLine_first _ p i here). pose proof (payout_grows _ _ p r' ltac:(lia) ltac:(lia)). lia.
  - (* Claim *)
    destruct (nth_error (places q) (Z.to_nat number)) eqn:found; [|discriminate].
    destruct (Z.leb_spec 0 assets), (Z.leb_spec assets (claimable (batches q) p)); try discriminate. intros [= <-].
    constructor; cbn [batches places aside]; auto.
    + apply draw_inLine; assumption.
    + rewrite draw_lineEnd. assumption.
    + eapply draw_fits; eauto.
    + rewrite (draw_sum _ _ assets p found). lia.
Qed.

Theorem new_queue_sound : sound newQueue.
Proof. constructor; cbn; auto; lia. Qed.
