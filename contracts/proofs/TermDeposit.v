(* The accounting of contracts/src/TermDeposit.sol and its parts in contracts/src/term: the books of a product and its
   receipts, and what each call changes.

   A call that the contract refuses is `None` here. Amounts are unbounded integers, where the contract refuses what does
   not fit its storage. Who may call, pauses, caps, and how long a demand waits only refuse calls and are left out. *)
From Coq Require Import ZArith Lia List.
From Aqua Require Import Rounding.
Import ListNotations.
Open Scope Z_scope.

Definition wad : Z := 1000000000000000000.
Definition year : Z := 31536000.

(* Simple interest, rounded down. *)
Definition interestFor (principal rate duration : Z) : Z := principal * rate * duration / (year * wad).

(* A term: interest a year, that of an early exit, the part of the principal an early exit costs, and the length. *)
Record term := Term { rate : Z; breakRate : Z; penalty : Z; length : Z }.

Record receipt := Receipt {
  terms : term;
  principal : Z;
  openedAt : Z;
  live : bool;   (* not paid out; in a winding down, was not when it began *)
  drawn : Z      (* paid by claims in a winding down *)
}.

Record product := Product {
  cash : Z;
  deployed : Z;
  liabilities : Z;
  reserved : Z;
  claims : Z;    (* liabilities when the winding down began; 0 while there is none *)
  buffer : Z;    (* part of all principal that is never deployed *)
  now : Z;
  receipts : list receipt  (* the newest first *)
}.

Definition maturity (r : receipt) : Z := openedAt r + length (terms r).
Definition interest (r : receipt) : Z := interestFor (principal r) (rate (terms r)) (length (terms r)).
Definition earned (r : receipt) (time : Z) : Z :=
  interestFor (principal r) (rate (terms r)) (Z.min time (maturity r) - openedAt r).
(* What an early exit of `part` of the principal pays. *)
Definition earlyPayout (r : receipt) (part time : Z) : Z :=
  part - mulDivUp part (penalty (terms r)) wad + interestFor part (breakRate (terms r)) (time - openedAt r).

Definition windingDown (p : product) : bool := 0 <? claims p.
Definition free (p : product) : Z := Z.max 0 (cash p + deployed p - liabilities p).
Definition bufferOf (p : product) : Z := mulDivUp (liabilities p - reserved p) (buffer p) wad.

(* In a winding down: money received for the claims, at most all of them. *)
Definition received (p : product) : Z := Z.min (claims p) (cash p + claims p - liabilities p).
Definition principals (p : product) : Z := claims p - reserved p.

(* A receipt's part of it: of the principals first, then of the interest. *)
Definition share (p : product) (r : receipt) : Z :=
  if received p <? principals p then mulDivDown (principal r) (received p) (principals p)
  else principal r + mulDivDown (interest r) (received p - principals p) (reserved p).
Definition claimable (p : product) (r : receipt) : Z :=
  Z.min (share p r) (principal r + earned r (now p)) - drawn r.

Definition setBooks (p : product) (cash' deployed' liabilities' reserved' claims' : Z) : product :=
  Product cash' deployed' liabilities' reserved' claims' (buffer p) (now p) (receipts p).
Definition setReceipts (p : product) (receipts' : list receipt) : product :=
  Product (cash p) (deployed p) (liabilities p) (reserved p) (claims p) (buffer p) (now p) receipts'.

Fixpoint replace (line : list receipt) (number : nat) (r : receipt) : list receipt :=
  match line, number with
  | [], _ => []
  | _ :: rest, O => r :: rest
  | x :: rest, S n => x :: replace rest n r
  end.

Definition ended (r : receipt) : receipt := Receipt (terms r) (principal r) (openedAt r) false (drawn r).
(* After a part of the principal has left. *)
Definition reduced (r : receipt) (part : Z) : receipt :=
  Receipt (terms r) (principal r - part) (openedAt r) (live r) (drawn r).
Definition paidMore (r : receipt) (assets : Z) : receipt :=
  Receipt (terms r) (principal r) (openedAt r) (live r) (drawn r + assets).

(* A new receipt over `amount`, which is in cash already and owed to nobody yet. *)
Definition issue (p : product) (t : term) (amount : Z) : option product :=
  let r := Receipt t amount (now p) true 0 in
  let room := Z.min (Z.max 0 (cash p + deployed p - (liabilities p + amount))) (cash p - reserved p) in
  if ((0 <? amount) && (0 <? interest r) && (interest r <=? room))%bool
  then Some (setReceipts (setBooks p (cash p) (deployed p) (liabilities p + amount + interest r) (reserved p + interest r)
    (claims p)) (r :: receipts p))
  else None.

(* Takes a receipt out of the books. *)
Definition finish (p : product) (number : nat) (r : receipt) : product :=
  setReceipts (setBooks p (cash p) (deployed p) (liabilities p - (principal r + interest r)) (reserved p - interest r)
    (claims p)) (replace (receipts p) number (ended r)).

(* Takes a part of a receipt's principal out of the books: what is due on it falls to what is due on the rest. *)
Definition reduce (p : product) (number : nat) (r : receipt) (part : Z) : product :=
  let rest := reduced r part in
  setReceipts (setBooks p (cash p) (deployed p) (liabilities p - (part + (interest r - interest rest)))
    (reserved p - (interest r - interest rest)) (claims p)) (replace (receipts p) number rest).

(* The last step of every payment: at least `kept` stays in cash. *)
Definition payOut (p : product) (assets kept : Z) : option product :=
  if assets <=? Z.max 0 (cash p - kept)
  then Some (setBooks p (cash p - assets) (deployed p) (liabilities p) (reserved p) (claims p)) else None.

Definition windDown (p : product) : product :=
  setBooks p (cash p) (deployed p) (liabilities p) (reserved p) (liabilities p).

Inductive call :=
  | Open (t : term) (assets : Z)
  | Close (number : Z)                 (* the newest receipt is 0 *)
  | ExitEarly (number : Z) (part : Z)  (* of its principal, which may be all of it *)
  | RollOver (number : Z) (t : term) (all : bool)
  | FundInterest (assets : Z)
  | WithdrawInterest (assets : Z)
  | Deploy (assets : Z)
  | Repay (assets : Z)
  | Loss (assets : Z)
  | Demand (number : Z)                (* demanded, waited for, demanded again, and still missed *)
  | Claim (number : Z)
  | Wait (time : Z).

(* What a call answers: the money that it moves. *)
Record answer := Answer { after : product; moved : Z }.

Definition withMoney (assets : Z) (result : option product) : option answer :=
  match result with Some p => Some (Answer p assets) | None => None end.

Definition find (p : product) (number : Z) : option receipt :=
  match nth_error (receipts p) (Z.to_nat number) with
  | Some r => if live r then Some r else None
  | None => None
  end.

Definition run (p : product) (c : call) : option answer :=
  match c with
  | Open t assets =>
      if windingDown p then None
      else withMoney assets
        (issue (setBooks p (cash p + assets) (deployed p) (liabilities p) (reserved p) (claims p)) t assets)
  | Close number =>
      match find p number with
      | Some r =>
          if (windingDown p || (now p <? maturity r))%bool then None
          else let q := finish p (Z.to_nat number) r in
            withMoney (principal r + interest r) (payOut q (principal r + interest r) (reserved q))
      | None => None
      end
  | ExitEarly number part =>
      match find p number with
      | Some r =>
          let paid := earlyPayout r part (now p) in
          if (windingDown p || (maturity r <=? now p) || (part <=? 0) || (principal r <? part) || (paid <=? 0)
            || ((part <? principal r) && (interest (reduced r part) <=? 0)))%bool then None
          else let q := if part <? principal r then reduce p (Z.to_nat number) r part else finish p (Z.to_nat number) r in
            withMoney paid (payOut q paid (reserved q + bufferOf q / 2))
      | None => None
      end
  | RollOver number t all =>
      match find p number with
      | Some r =>
          if (windingDown p || (now p <? maturity r))%bool then None
          else let q := finish p (Z.to_nat number) r in
            let paid := if all then 0 else interest r in
            withMoney paid
              (issue (setBooks q (cash q - paid) (deployed q) (liabilities q) (reserved q) (claims q)) t
                (principal r + interest r - paid))
      | None => None
      end
  | FundInterest assets =>
      if 0 <? assets
      then Some (Answer (setBooks p (cash p + assets) (deployed p) (liabilities p) (reserved p) (claims p)) assets)
      else None
  | WithdrawInterest assets =>
      let kept := if windingDown p then liabilities p else reserved p + bufferOf p in
      if ((0 <? assets) && (assets <=? Z.min (free p) (Z.max 0 (cash p - kept))))%bool
      then withMoney assets (payOut p assets kept) else None
  | Deploy assets =>
      let most := Z.max 0 (liabilities p - reserved p - bufferOf p - deployed p) in
      if (windingDown p || (assets <=? 0) || (most <? assets))%bool then None
      else withMoney assets
        (payOut (setBooks p (cash p) (deployed p + assets) (liabilities p) (reserved p) (claims p)) assets (reserved p))
  | Repay assets =>
      if 0 <? assets
      then Some (Answer (setBooks p (cash p + assets) (Z.max 0 (deployed p - assets)) (liabilities p) (reserved p)
        (claims p)) assets)
      else None
  | Loss assets =>
      let lost := Z.min assets (deployed p) in
      let q := setBooks p (cash p) (deployed p - lost) (liabilities p) (reserved p) (claims p) in
      if 0 <? lost
      then Some (Answer (if (negb (windingDown p) && (cash q + deployed q <? liabilities q))%bool then windDown q else q) 0)
      else None
  | Demand number =>
      match find p number with
      | Some r =>
          if (windingDown p || (now p <? maturity r) || (principal r + reserved p <=? cash p))%bool then None
          else Some (Answer (windDown p) 0)
      | None => None
      end
  | Claim number =>
      match find p number with
      | Some r =>
          let paid := claimable p r in
          if (windingDown p && (0 <? paid))%bool
          then Some (Answer (setReceipts (setBooks p (cash p - paid) (deployed p) (liabilities p - paid) (reserved p)
            (claims p)) (replace (receipts p) (Z.to_nat number) (paidMore r paid))) paid)
          else None
      | None => None
      end
  | Wait time =>
      if 0 <=? time
      then Some (Answer (Product (cash p) (deployed p) (liabilities p) (reserved p) (claims p) (buffer p) (now p + time)
        (receipts p)) 0)
      else None
  end.

Definition newProduct (bufferPart time : Z) : product := Product 0 0 0 0 0 bufferPart time [].

Definition whenLive (f : receipt -> Z) (r : receipt) : Z := if live r then f r else 0.
Fixpoint sum (f : receipt -> Z) (line : list receipt) : Z :=
  match line with [] => 0 | r :: rest => whenLive f r + sum f rest end.

(* What `addTerm` checks. *)
Definition goodTerm (t : term) : Prop :=
  0 <= breakRate t < rate t /\ 0 <= penalty t <= wad /\ 0 < length t.

Definition goodReceipt (time : Z) (r : receipt) : Prop :=
  goodTerm (terms r) /\ 0 < principal r /\ 0 < interest r /\ openedAt r <= time.

Definition goodCall (c : call) : Prop :=
  match c with Open t _ | RollOver _ t _ => goodTerm t | _ => True end.

(* The states that calls reach. *)
Record sound (p : product) : Prop := Sound {
  soundReceipts : Forall (goodReceipt (now p)) (receipts p);
  soundBuffer : 0 <= buffer p;
  soundDeployed : 0 <= deployed p;
  soundReserved : reserved p = sum interest (receipts p);
  soundClaims : 0 <= claims p;
  (* While it is not wound down: the reserved interest is in cash, and the assets are at least the liabilities. *)
  soundRunning : windingDown p = false -> claims p = 0
    /\ liabilities p = sum principal (receipts p) + sum interest (receipts p)
    /\ reserved p <= cash p /\ liabilities p <= cash p + deployed p
    /\ Forall (fun r => live r = true -> drawn r = 0) (receipts p);
  (* In a winding down: liabilities are the claims less what was drawn, and nobody has drawn more than its share. *)
  soundWinding : windingDown p = true ->
    claims p = sum principal (receipts p) + sum interest (receipts p)
    /\ liabilities p = claims p - sum drawn (receipts p)
    /\ 0 <= received p
    /\ Forall (fun r => live r = true -> 0 <= drawn r <= Z.min (share p r) (principal r + earned r (now p))) (receipts p)
}.

Lemma year_wad : 0 < year * wad. Proof. reflexivity. Qed.

Lemma interestFor_rises principal rate rate' time time' : 0 <= principal -> 0 <= rate <= rate' -> 0 <= time <= time' ->
  0 <= interestFor principal rate time <= interestFor principal rate' time'.
Proof.
  intros. pose proof year_wad. unfold interestFor. split.
  - apply Z.div_pos; [|assumption]. repeat apply Z.mul_nonneg_nonneg; lia.
  - apply Z.div_le_mono; [assumption|]. apply Z.mul_le_mono_nonneg; [|apply Z.mul_le_mono_nonneg|..]; lia.
Qed.

Lemma good_later r time time' : goodReceipt time r -> time <= time' -> goodReceipt time' r.
Proof. intros (? & ? & ? & ?) later. split; [assumption|]. lia. Qed.

Lemma interestFor_adds amount amount' rate time :
  interestFor amount rate time + interestFor amount' rate time <= interestFor (amount + amount') rate time.
Proof.
  unfold interestFor. rewrite <- !Z.mul_assoc. apply (down_adds amount amount' (rate * time)). exact year_wad.
Qed.

(* An early exit pays at most the part and its interest at maturity, and at least the part less the penalty. *)
Lemma early_payout_bounds r part time : goodReceipt time r -> time <= maturity r -> 0 <= part ->
  part - mulDivUp part (penalty (terms r)) wad <= earlyPayout r part time
    <= part + interestFor part (rate (terms r)) (length (terms r)).
Proof.
  intros (t & some & _ & opened) early fits. destruct t as ([] & [] & ?). unfold earlyPayout, maturity in *.
  pose proof (interestFor_rises part (breakRate (terms r)) (rate (terms r)) (time - openedAt r)
    (length (terms r)) ltac:(lia) ltac:(lia) ltac:(lia)).
  assert (0 <= mulDivUp part (penalty (terms r)) wad) by (apply up_nonnegative; unfold wad; lia). lia.
Qed.

(* Which is no more than what is due on the receipt less what is due on the rest. *)
Lemma early_payout_leaves_the_rest r part time : goodReceipt time r -> time <= maturity r -> 0 <= part ->
  earlyPayout r part time <= part + (interest r - interest (reduced r part)).
Proof.
  intros good early fits. pose proof (early_payout_bounds r part time good early fits) as [_ most].
  pose proof (interestFor_adds part (principal r - part) (rate (terms r)) (length (terms r))) as both.
  replace (part + (principal r - part)) with (principal r) in both by lia.
  unfold interest. cbn [reduced principal terms]. lia.
Qed.

(* Two parts of a receipt pay no more than both as one, whatever is left. *)
Lemma early_payouts_add r part part' time :
  earlyPayout r part time + earlyPayout r part' time <= earlyPayout r (part + part') time.
Proof.
  unfold earlyPayout. pose proof (interestFor_adds part part' (breakRate (terms r)) (time - openedAt r)).
  pose proof (up_adds part part' (penalty (terms r)) wad eq_refl). lia.
Qed.

Lemma sum_bounds f g line : Forall (fun r => live r = true -> f r <= g r) line -> sum f line <= sum g line.
Proof.
  induction 1 as [|r rest one others IH]; cbn [sum]; [lia|]. unfold whenLive in *. destruct (live r); [|lia].
  specialize (one eq_refl). lia.
Qed.

Lemma sum_nonnegative f line : Forall (fun r => live r = true -> 0 <= f r) line -> 0 <= sum f line.
Proof.
  induction 1 as [|r rest one others IH]; cbn [sum]; [lia|]. unfold whenLive in *. destruct (live r); [|lia].
  specialize (one eq_refl). lia.
Qed.

Lemma sum_of_replaced f line : forall number r r', nth_error line number = Some r ->
  sum f (replace line number r') = sum f line - whenLive f r + whenLive f r'.
Proof.
  induction line as [|x rest IH]; intros [|n] r r'; cbn [nth_error replace sum]; try discriminate.
  - intros [= ->]. lia.
  - intros found. rewrite (IH n r r' found). lia.
Qed.

Lemma all_of_replaced (P : receipt -> Prop) line : forall number r', Forall P line -> P r' ->
  Forall P (replace line number r').
Proof.
  induction line as [|x rest IH]; intros [|n] r' all one; cbn; auto; inversion all; subst; constructor; auto.
Qed.

Lemma found_in p number r : find p number = Some r ->
  nth_error (receipts p) (Z.to_nat number) = Some r /\ live r = true /\ In r (receipts p).
Proof.
  unfold find. destruct (nth_error (receipts p) (Z.to_nat number)) eqn:there; [|discriminate].
  destruct (live r0) eqn:alive; [|discriminate]. intros [= ->]. repeat split; try assumption.
  apply nth_error_In in there. assumption.
Qed.

Lemma principals_positive p : sound p -> 0 <= sum principal (receipts p).
Proof.
  intros s. apply sum_nonnegative. apply (Forall_impl _ (P := goodReceipt (now p))); [|apply soundReceipts; assumption].
  intros r (? & ? & ? & ?). lia.
Qed.

Lemma interests_positive p : sound p -> 0 <= sum interest (receipts p).
Proof.
  intros s. apply sum_nonnegative. apply (Forall_impl _ (P := goodReceipt (now p))); [|apply soundReceipts; assumption].
  intros r (? & ? & ? & ?). lia.
Qed.

Lemma sum_of_member f p number r : find p number = Some r ->
  Forall (fun r => live r = true -> 0 <= f r) (receipts p) -> f r <= sum f (receipts p).
Proof.
  intros found all. destruct (found_in p number r found) as (there & alive & _).
  pose proof (sum_of_replaced f _ _ _ (ended r) there) as less.
  assert (0 <= sum f (replace (receipts p) (Z.to_nat number) (ended r))).
  { apply sum_nonnegative. apply all_of_replaced; [assumption|]. cbn. discriminate. }
  unfold whenLive in less. rewrite alive in less. cbn in less. lia.
Qed.

Lemma good_sums time line : Forall (goodReceipt time) line -> 0 <= sum principal line /\ 0 <= sum interest line.
Proof.
  intros good. split; apply sum_nonnegative; apply (Forall_impl _ (P := goodReceipt time)); try assumption;
    intros r (? & ? & ? & ?); lia.
Qed.

(* What makes a product sound that is not wound down. *)
Lemma running_sound p : Forall (goodReceipt (now p)) (receipts p) -> 0 <= buffer p -> 0 <= deployed p ->
  reserved p = sum interest (receipts p) -> claims p = 0 ->
  liabilities p = sum principal (receipts p) + sum interest (receipts p) ->
  reserved p <= cash p -> liabilities p <= cash p + deployed p ->
  Forall (fun r => live r = true -> drawn r = 0) (receipts p) -> sound p.
Proof.
  intros. constructor; auto; try lia. intros winding. unfold windingDown in winding.
  apply Z.ltb_lt in winding. lia.
Qed.

Lemma earned_rises r time time' : goodReceipt time r -> time <= time' -> 0 <= earned r time <= earned r time'.
Proof.
  intros (t & some & _ & opened) later. destruct t as (? & ? & ?). unfold earned, maturity.
  apply interestFor_rises; lia.
Qed.

(* Money received later only makes a part larger. *)
Lemma share_rises p q r : claims q = claims p -> reserved q = reserved p -> 0 <= received p <= received q ->
  0 <= reserved p -> 0 <= principal r -> 0 <= interest r -> 0 <= share p r <= share q r.
Proof.
  intros sameClaims sameReserved more some some' some''.
  assert (same : principals q = principals p) by (unfold principals; lia).
  assert (part : forall x, 0 <= x -> 0 <= mulDivDown (interest r) x (reserved p)).
  { intros x fits. destruct (Z.eq_dec (reserved p) 0) as [->|]; [unfold mulDivDown; rewrite Zdiv_0_r; lia|].
    apply down_nonnegative; lia. }
  unfold share. rewrite same, sameReserved.
  destruct (Z.ltb_spec (received p) (principals p)); destruct (Z.ltb_spec (received q) (principals p)); try lia.
  - pose proof (down_nonnegative (principal r) (received p) (principals p)).
    enough (mulDivDown (principal r) (received p) (principals p) <= mulDivDown (principal r) (received q) (principals p))
      by lia.
    unfold mulDivDown. apply Z.div_le_mono; [lia|]. apply Z.mul_le_mono_nonneg_l; lia.
  - pose proof (down_nonnegative (principal r) (received p) (principals p)).
    specialize (part (received q - principals p)).
    enough (mulDivDown (principal r) (received p) (principals p) <= principal r) by lia.
    apply down_at_most; [lia|]. nia.
  - pose proof (part (received p - principals p) ltac:(lia)).
    enough (mulDivDown (interest r) (received p - principals p) (reserved p)
      <= mulDivDown (interest r) (received q - principals p) (reserved p)) by lia.
    destruct (Z.eq_dec (reserved p) 0) as [->|]; [unfold mulDivDown; rewrite !Zdiv_0_r; lia|].
    unfold mulDivDown. apply Z.div_le_mono; [lia|]. apply Z.mul_le_mono_nonneg_l; lia.
Qed.

(* Money in or out that leaves what was received at least as much, and time, keep a winding down sound. *)
Lemma winding_goes_on p q : sound p -> windingDown p = true ->
  receipts q = receipts p -> claims q = claims p -> reserved q = reserved p -> liabilities q = liabilities p ->
  buffer q = buffer p -> 0 <= deployed q -> now p <= now q -> received p <= received q -> sound q.
Proof.
  intros [good part some money claimed running winding] winds sameReceipts sameClaims sameReserved sameLiabilities
    sameBuffer someDeployed later more.
  destruct (winding winds) as (all & less & in' & fair).
  pose proof (good_sums _ _ good) as [_ interests].
  constructor; rewrite ?sameReceipts, ?sameReserved, ?sameClaims, ?sameBuffer, ?sameLiabilities; auto.
  - apply (Forall_impl _ (P := goodReceipt (now p))); [|assumption]. intros r before. apply (good_later r (now p)); assumption || lia.
  - intros still. unfold windingDown in *. congruence.
  - intros _. repeat split; auto; try lia.
    rewrite Forall_forall in *. intros r here alive. specialize (fair r here alive). specialize (good r here).
    pose proof (earned_rises r (now p) (now q) good later). destruct good as (? & ? & ? & ?).
    pose proof (share_rises p q r sameClaims sameReserved). lia.
Qed.

(* A product that begins to be wound down. *)
Lemma windDown_sound p : Forall (goodReceipt (now p)) (receipts p) -> 0 <= buffer p -> 0 <= deployed p ->
  reserved p = sum interest (receipts p) ->
  liabilities p = sum principal (receipts p) + sum interest (receipts p) -> 0 < liabilities p -> 0 <= cash p ->
  Forall (fun r => live r = true -> drawn r = 0) (receipts p) -> sound (windDown p).
Proof.
  intros good part some money owed someOwed someCash undrawn.
  pose proof (good_sums _ _ good) as [_ interests].
  assert (in' : received (windDown p) = Z.min (liabilities p) (cash p)) by (unfold received; cbn; lia).
  constructor; cbn [receipts now buffer deployed reserved claims liabilities cash windDown setBooks]; auto; try lia.
  - unfold windingDown; cbn. intros no. apply Z.ltb_ge in no. lia.
  - intros _. split; [assumption|]. split; [|split; [rewrite in'; lia|]].
    + assert (sum drawn (receipts p) <= sum (fun _ => 0) (receipts p)).
      { apply sum_bounds. apply (Forall_impl _ (P := fun r => live r = true -> drawn r = 0)); [|assumption].
        intros r none alive. rewrite none by assumption. lia. }
      assert (sum (fun _ => 0) (receipts p) <= sum drawn (receipts p)).
      { apply sum_bounds. apply (Forall_impl _ (P := fun r => live r = true -> drawn r = 0)); [|assumption].
        intros r none alive. rewrite none by assumption. lia. }
      assert (sum (fun _ => 0) (receipts p) = 0).
      { generalize (receipts p). induction l as [|r l IH]; cbn [sum]; [reflexivity|]. unfold whenLive. destruct (live r); lia. }
      lia.
    + rewrite Forall_forall in *. intros r here alive. rewrite (undrawn r here alive). specialize (good r here).
      pose proof (earned_rises r (now p) (now p) good ltac:(lia)). destruct good as (? & ? & ? & ?).
      pose proof (share_rises (windDown p) (windDown p) r eq_refl eq_refl) as positive. cbn in positive. lia.
Qed.

Lemma issue_sound q t amount p : Forall (goodReceipt (now q)) (receipts q) -> 0 <= buffer q -> 0 <= deployed q ->
  reserved q = sum interest (receipts q) -> claims q = 0 ->
  liabilities q = sum principal (receipts q) + sum interest (receipts q) ->
  Forall (fun r => live r = true -> drawn r = 0) (receipts q) -> goodTerm t ->
  issue q t amount = Some p -> sound p.
Proof.
  intros good part some money claimed owed undrawn fits. unfold issue.
  set (r := Receipt t amount (now q) true 0).
  destruct (Z.ltb_spec 0 amount), (Z.ltb_spec 0 (interest r)),
    (Z.leb_spec (interest r) (Z.min (Z.max 0 (cash q + deployed q - (liabilities q + amount))) (cash q - reserved q)));
    try discriminate.
  intros [= <-].
  apply running_sound; cbn [receipts now buffer deployed reserved claims liabilities cash setReceipts setBooks sum]; auto;
    unfold whenLive; cbn [live r principal]; try lia.
  constructor; [|assumption]. repeat split; cbn; auto; try lia; apply fits.
Qed.

(* The books after a receipt is taken out of them. *)
Lemma finish_books p number r : sound p -> windingDown p = false -> find p number = Some r ->
  let q := finish p (Z.to_nat number) r in
  Forall (goodReceipt (now q)) (receipts q) /\ reserved q = sum interest (receipts q) /\ claims q = 0
  /\ liabilities q = sum principal (receipts q) + sum interest (receipts q)
  /\ Forall (fun r => live r = true -> drawn r = 0) (receipts q) /\ goodReceipt (now p) r
  /\ interest r <= reserved p.
Proof.
  intros s running found q. destruct (found_in p number r found) as (there & alive & here).
  pose proof s as [good part some money claimed runs _]. destruct (runs running) as (none & owed & inCash & covered & undrawn).
  assert (one : goodReceipt (now p) r) by (rewrite Forall_forall in good; auto).
  pose proof (sum_of_replaced principal _ _ _ (ended r) there) as lessPrincipal.
  pose proof (sum_of_replaced interest _ _ _ (ended r) there) as lessInterest.
  assert (interest r <= sum interest (receipts p)).
  { apply (sum_of_member interest p number r found). apply (Forall_impl _ (P := goodReceipt (now p))); [|assumption].
    intros x (? & ? & ? & ?). lia. }
  unfold whenLive in *. rewrite alive in *. cbn [live ended] in *.
  subst q. unfold finish. cbn [now receipts reserved claims liabilities setReceipts setBooks].
  repeat split; try lia; try apply one.
  - apply all_of_replaced; [assumption|]. exact one.
  - apply all_of_replaced; [assumption|]. cbn. discriminate.
Qed.

(* The books after a part of a receipt is taken out of them. *)
Lemma reduce_books p number r part : sound p -> windingDown p = false -> find p number = Some r ->
  0 < part < principal r -> 0 < interest (reduced r part) ->
  let q := reduce p (Z.to_nat number) r part in
  Forall (goodReceipt (now q)) (receipts q) /\ reserved q = sum interest (receipts q) /\ claims q = 0
  /\ liabilities q = sum principal (receipts q) + sum interest (receipts q)
  /\ Forall (fun r => live r = true -> drawn r = 0) (receipts q).
Proof.
  intros s running found fits earns q. destruct (found_in p number r found) as (there & alive & here).
  pose proof s as [good _ _ money _ runs _]. destruct (runs running) as (none & owed & _ & _ & undrawn).
  rewrite Forall_forall in good. pose proof (good r here) as (t & _ & _ & opened). rewrite <- Forall_forall in good.
  pose proof (sum_of_replaced principal _ _ _ (reduced r part) there) as lessPrincipal.
  pose proof (sum_of_replaced interest _ _ _ (reduced r part) there) as lessInterest.
  unfold whenLive in *. change (live (reduced r part)) with (live r) in *. rewrite alive in *.
  change (principal (reduced r part)) with (principal r - part) in *.
  subst q. unfold reduce. cbn [now receipts reserved claims liabilities setReceipts setBooks].
  repeat split; try lia.
  - apply all_of_replaced; [assumption|]. split; [exact t|]. cbn [reduced principal openedAt]. auto with zarith.
  - apply all_of_replaced; [assumption|]. intros _. cbn [reduced drawn]. rewrite Forall_forall in undrawn.
    apply (undrawn r here alive).
Qed.

(* The payment of an early exit out of books that owe the rest only. *)
Lemma early_exit_sound p q paid a :
  Forall (goodReceipt (now q)) (receipts q) -> 0 <= buffer q -> 0 <= deployed q -> reserved q = sum interest (receipts q) ->
  claims q = 0 -> liabilities q = sum principal (receipts q) + sum interest (receipts q) ->
  Forall (fun r => live r = true -> drawn r = 0) (receipts q) -> 0 < paid ->
  liabilities p <= cash p + deployed p -> cash q = cash p -> deployed q = deployed p ->
  liabilities q + paid <= liabilities p ->
  withMoney paid (payOut q paid (reserved q + bufferOf q / 2)) = Some a -> sound (after a).
Proof.
  intros good part some money claimed owed undrawn positive covered sameCash sameDeployed less.
  pose proof (good_sums _ _ good) as [principals' _].
  assert (0 <= bufferOf q / 2).
  { apply Z.div_pos; [|lia]. apply up_nonnegative; [rewrite owed, money; lia|assumption|reflexivity]. }
  unfold withMoney, payOut.
  destruct (Z.leb_spec paid (Z.max 0 (cash q - (reserved q + bufferOf q / 2)))); [|discriminate].
  intros [= <-]. cbn [after]. apply running_sound; cbn [setBooks receipts now buffer deployed reserved claims liabilities cash];
    auto; lia.
Qed.

(* Every call keeps the books sound. *)
Lemma run_keeps p c a : sound p -> goodCall c -> run p c = Some a -> sound (after a).
Proof.
  intros s fits. pose proof s as [good part some money claimed runs winds].
  destruct c; cbn [run goodCall] in *.
  - (* Open *)
    destruct (windingDown p) eqn:state; [discriminate|]. destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn).
    unfold withMoney. destruct (issue _ t assets) eqn:done; [|discriminate]. intros [= <-]. cbn [after].
    refine (issue_sound _ t assets p0 _ _ _ _ _ _ _ fits done); cbn; assumption.
  - (* Close *)
    destruct (find p number) as [r|] eqn:found; [|discriminate].
    destruct (windingDown p) eqn:state; [discriminate|]. cbn [orb]. destruct (now p <? maturity r); [discriminate|].
    destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn).
    destruct (finish_books p number r s state found) as (good' & money' & none' & owed' & undrawn' & one & partOf).
    destruct one as (_ & somePrincipal & someInterest & _).
    unfold withMoney, payOut. destruct (Z.leb_spec (principal r + interest r)
      (Z.max 0 (cash (finish p (Z.to_nat number) r) - reserved (finish p (Z.to_nat number) r)))); [|discriminate].
    intros [= <-]. cbn [after]. apply running_sound; cbn in *; auto; lia.
  - (* ExitEarly *)
    destruct (find p number) as [r|] eqn:found; [|discriminate].
    destruct (windingDown p) eqn:state; [discriminate|]. cbn [orb].
    destruct (Z.leb_spec (maturity r) (now p)); [discriminate|].
    destruct (Z.leb_spec part0 0); [discriminate|]. destruct (Z.ltb_spec (principal r) part0); [discriminate|].
    destruct (Z.leb_spec (earlyPayout r part0 (now p)) 0); [discriminate|]. cbn [orb].
    destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn).
    destruct (finish_books p number r s state found) as (goodF & moneyF & noneF & owedF & undrawnF & one & partOf).
    pose proof (early_payout_bounds r part0 (now p) one ltac:(lia) ltac:(lia)) as atMost.
    pose proof (early_payout_leaves_the_rest r part0 (now p) one ltac:(lia) ltac:(lia)) as restDue.
    destruct (Z.ltb_spec part0 (principal r)); cbn [andb].
    + destruct (Z.leb_spec (interest (reduced r part0)) 0); [discriminate|].
      destruct (reduce_books p number r part0 s state found ltac:(lia) ltac:(lia)) as (good' & money' & none' & owed' & undrawn').
      apply (early_exit_sound p (reduce p (Z.to_nat number) r part0) (earlyPayout r part0 (now p))); auto; cbn; lia.
    + assert (whole : part0 = principal r) by lia. rewrite whole in *.
      apply (early_exit_sound p (finish p (Z.to_nat number) r) (earlyPayout r (principal r) (now p))); auto; cbn.
      unfold interest. lia.
  - (* RollOver *)
    destruct (find p number) as [r|] eqn:found; [|discriminate].
    destruct (windingDown p) eqn:state; [discriminate|]. cbn [orb]. destruct (now p <? maturity r); [discriminate|].
    destruct (finish_books p number r s state found) as (good' & money' & none' & owed' & undrawn' & one & partOf).
    unfold withMoney. destruct (issue _ t _) eqn:done; [|discriminate]. intros [= <-]. cbn [after].
    refine (issue_sound _ t _ p0 _ _ _ _ _ _ _ fits done); cbn in *; assumption.
  - (* FundInterest *)
    destruct (Z.ltb_spec 0 assets); [|discriminate]. intros [= <-]. cbn [after].
    destruct (windingDown p) eqn:state.
    + apply (winding_goes_on p); auto; cbn; try lia. unfold received; cbn. lia.
    + destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn). apply running_sound; cbn; auto; lia.
  - (* WithdrawInterest *)
    destruct (Z.ltb_spec 0 assets); [|discriminate]. cbn [andb].
    destruct (windingDown p) eqn:state.
    + destruct (Z.leb_spec assets (Z.min (free p) (Z.max 0 (cash p - liabilities p)))); [|discriminate].
      unfold withMoney, payOut. destruct (assets <=? Z.max 0 (cash p - liabilities p)); [|discriminate].
      intros [= <-]. cbn [after]. apply (winding_goes_on p); auto; cbn; try lia. unfold received; cbn. lia.
    + destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn).
      pose proof (good_sums _ _ good) as [? _].
      assert (0 <= bufferOf p) by (apply up_nonnegative; [lia|assumption|reflexivity]).
      destruct (Z.leb_spec assets (Z.min (free p) (Z.max 0 (cash p - (reserved p + bufferOf p))))); [|discriminate].
      unfold withMoney, payOut. destruct (assets <=? Z.max 0 (cash p - (reserved p + bufferOf p))); [|discriminate].
      intros [= <-]. cbn [after]. unfold free in *. apply running_sound; cbn; auto; lia.
  - (* Deploy *)
    destruct (windingDown p) eqn:state; [discriminate|]. destruct (Z.leb_spec assets 0); [discriminate|]. cbn [orb].
    destruct (_ <? assets); [discriminate|]. destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn).
    unfold withMoney, payOut. cbn [cash setBooks].
    destruct (Z.leb_spec assets (Z.max 0 (cash p - reserved p))); [|discriminate].
    intros [= <-]. cbn [after]. apply running_sound; cbn; auto; lia.
  - (* Repay *)
    destruct (Z.ltb_spec 0 assets); [|discriminate]. intros [= <-]. cbn [after].
    destruct (windingDown p) eqn:state.
    + apply (winding_goes_on p); auto; cbn; try lia. unfold received; cbn. lia.
    + destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn). apply running_sound; cbn; auto; lia.
  - (* Loss *)
    destruct (Z.ltb_spec 0 (Z.min assets (deployed p))); [|discriminate]. intros [= <-]. cbn [after].
    destruct (windingDown p) eqn:state; cbn [negb andb].
    + apply (winding_goes_on p); auto; cbn; try lia. unfold received; cbn. lia.
    + destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn). pose proof (good_sums _ _ good) as [? ?].
      cbn [cash deployed liabilities setBooks]. destruct (Z.ltb_spec (cash p + (deployed p - Z.min assets (deployed p))) (liabilities p)).
      * apply windDown_sound; cbn; auto; lia.
      * apply running_sound; cbn; auto; lia.
  - (* Demand *)
    destruct (find p number) as [r|] eqn:found; [|discriminate].
    destruct (windingDown p) eqn:state; [discriminate|]. cbn [orb]. destruct (now p <? maturity r); [discriminate|]. cbn [orb].
    destruct (_ <=? cash p); [discriminate|]. intros [= <-]. cbn [after].
    destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn). pose proof (good_sums _ _ good) as [? ?].
    destruct (finish_books p number r s state found) as (_ & _ & _ & _ & _ & (_ & _ & someInterest & _) & partOf).
    apply windDown_sound; auto; lia.
  - (* Claim *)
    destruct (find p number) as [r|] eqn:found; [|discriminate].
    destruct (windingDown p) eqn:state; [|discriminate]. cbn [andb].
    destruct (Z.ltb_spec 0 (claimable p r)); [|discriminate]. intros [= <-]. cbn [after].
    destruct (winds eq_refl) as (all & less & in' & fair).
    destruct (found_in p number r found) as (there & alive & here).
    set (q := setReceipts _ _).
    assert (same : received q = received p) by (unfold received, q; cbn; lia).
    assert (sameShare : forall x, share q x = share p x)
      by (intros x; unfold share; rewrite same; reflexivity).
    pose proof (sum_of_replaced principal _ _ _ (paidMore r (claimable p r)) there) as samePrincipal.
    pose proof (sum_of_replaced interest _ _ _ (paidMore r (claimable p r)) there) as sameInterest.
    pose proof (sum_of_replaced drawn _ _ _ (paidMore r (claimable p r)) there) as moreDrawn.
    unfold whenLive in *. cbn [live paidMore] in *. rewrite alive in *.
    change (principal (paidMore r (claimable p r))) with (principal r) in *.
    change (interest (paidMore r (claimable p r))) with (interest r) in *.
    change (drawn (paidMore r (claimable p r))) with (drawn r + claimable p r) in *.
    constructor.
    + cbn. apply all_of_replaced; [assumption|]. rewrite Forall_forall in good. apply (good r here).
    + assumption.
    + assumption.
    + cbn in *. lia.
    + assumption.
    + intros no. cbn in no. unfold windingDown in *. cbn in no. congruence.
    + intros _. rewrite same. split; [cbn in *; lia|]. split; [cbn in *; lia|]. split; [assumption|].
      unfold q at 1. cbn [receipts setReceipts]. apply all_of_replaced.
      * apply (Forall_impl _ (P := fun r => live r = true -> 0 <= drawn r <= Z.min (share p r) (principal r + earned r (now p))));
          [|assumption].
        intros x before aliveX. rewrite sameShare. apply before. assumption.
      * intros _. rewrite sameShare. rewrite Forall_forall in fair. specialize (fair r here alive).
        unfold claimable in *. cbn in *. change (share p (paidMore r _)) with (share p r) in *.
        change (earned (paidMore r _) (now p)) with (earned r (now p)). lia.
  - (* Wait *)
    destruct (Z.leb_spec 0 time); [|discriminate]. intros [= <-]. cbn [after].
    destruct (windingDown p) eqn:state.
    + apply (winding_goes_on p); auto; cbn; try lia. unfold received; cbn. lia.
    + destruct (runs eq_refl) as (none & owed & inCash & covered & undrawn). apply running_sound; cbn; auto; try lia.
      apply (Forall_impl _ (P := goodReceipt (now p))); [|assumption].
      intros r before. apply (good_later r (now p)); assumption || lia.
Qed.

(* Calls one after another, by anybody; refused ones change nothing. *)
Fixpoint runAll (p : product) (calls : list call) : product :=
  match calls with
  | [] => p
  | c :: rest => match run p c with Some a => runAll (after a) rest | None => runAll p rest end
  end.

Theorem new_product_sound bufferPart time : 0 <= bufferPart -> sound (newProduct bufferPart time).
Proof. intros some. apply running_sound; cbn; auto; lia. Qed.

(* Whatever is called, the books stay sound. *)
Theorem books_stay_sound calls : forall p, sound p -> Forall goodCall calls -> sound (runAll p calls).
Proof.
  induction calls as [|c rest IH]; intros p s good; [assumption|]. inversion good; subst. cbn.
  destruct (run p c) eqn:done; [|auto]. apply IH; [|assumption]. apply (run_keeps p c a s); assumption.
Qed.

(* 5. As long as a product is not wound down, it owes principal and interest of the live receipts, nothing else, and its
   assets are at least that. *)
Theorem assets_cover_liabilities p : sound p -> windingDown p = false ->
  liabilities p = sum principal (receipts p) + sum interest (receipts p)
  /\ liabilities p <= cash p + deployed p /\ reserved p <= cash p.
Proof. intros s runs. destruct (soundRunning p s runs) as (_ & owed & inCash & covered & _). auto. Qed.

(* A loss that the free interest bears. *)
Definition borne (p : product) (c : call) : Prop :=
  match c with
  | Loss assets => Z.min assets (deployed p) <= cash p + deployed p - liabilities p
  | Demand _ => False
  | _ => True
  end.

Lemma issue_claims q t amount p : issue q t amount = Some p -> claims p = claims q.
Proof. unfold issue. destruct (_ && _)%bool; [|discriminate]. intros [= <-]. reflexivity. Qed.

Lemma payOut_claims q assets kept p : payOut q assets kept = Some p -> claims p = claims q.
Proof. unfold payOut. destruct (_ <=? _); [|discriminate]. intros [= <-]. reflexivity. Qed.

(* And nothing winds it down but a loss that the free interest does not bear, and a payment that was demanded and missed. *)
Theorem nothing_else_winds_down p c a : sound p -> windingDown p = false -> borne p c -> run p c = Some a ->
  windingDown (after a) = false.
Proof.
  intros s runs fits done. destruct (soundRunning p s runs) as (none & _).
  unfold windingDown. apply Z.ltb_ge. enough (claims (after a) = 0) by lia. revert done.
  assert (loss : forall assets, c = Loss assets -> run p c = Some a -> claims (after a) = 0).
  { intros assets -> . cbn [run borne] in *. rewrite runs. cbn [negb andb]. destruct (0 <? Z.min assets (deployed p)); [|discriminate].
    cbn [cash deployed liabilities setBooks].
    destruct (Z.ltb_spec (cash p + (deployed p - Z.min assets (deployed p))) (liabilities p)); [lia|].
    intros [= <-]. assumption. }
  destruct c; try (apply (loss assets); reflexivity); clear loss;
    cbn [run borne] in *; rewrite ?runs; unfold withMoney; cbn [orb andb negb]; try tauto;
    repeat match goal with |- context [match ?x with _ => _ end] => destruct x eqn:? end; try discriminate;
    intros [= <-]; cbn [after]; try assumption;
    match goal with
    | H : issue _ _ _ = Some _ |- _ => rewrite (issue_claims _ _ _ _ H); assumption
    | H : payOut _ _ _ = Some _ |- _ => rewrite (payOut_claims _ _ _ _ H); try assumption;
        match goal with |- context [if ?part then _ else _] => destruct part; assumption end
    end.
Qed.

(* The rounded parts of one amount add up to no more than it. *)
Lemma parts_fit f amount whole line : 0 < whole -> 0 <= amount ->
  sum (fun r => mulDivDown (f r) amount whole) line * whole <= amount * sum f line.
Proof.
  intros some fits. induction line as [|r rest IH]; cbn [sum]; [lia|]. unfold whenLive. destruct (live r); [|lia].
  pose proof (down_bounds (f r) amount whole some). lia.
Qed.

Lemma sum_adds f g line : sum (fun r => f r + g r) line = sum f line + sum g line.
Proof. induction line as [|r rest IH]; cbn [sum]; [lia|]. unfold whenLive in *. destruct (live r); lia. Qed.

Lemma sum_same f g line : (forall r, f r = g r) -> sum f line = sum g line.
Proof. intros same. induction line as [|r rest IH]; cbn [sum]; [reflexivity|]. unfold whenLive. rewrite same, IH. reflexivity. Qed.

(* All parts together are no more than what was received. *)
Lemma shares_fit p : sound p -> windingDown p = true -> sum (share p) (receipts p) <= received p.
Proof.
  intros s winds. pose proof s as [good part some money claimed _ winding].
  destruct (winding winds) as (all & less & in' & fair). pose proof (good_sums _ _ good) as [? ?].
  assert (whole : principals p = sum principal (receipts p)) by (unfold principals; lia).
  assert (most : received p <= claims p) by (unfold received; lia).
  destruct (Z.lt_ge_cases (received p) (principals p)) as [short|enough].
  - rewrite (sum_same (share p) (fun r => mulDivDown (principal r) (received p) (principals p))).
    2: { intros r. unfold share. apply Z.ltb_lt in short. rewrite short. reflexivity. }
    pose proof (parts_fit principal (received p) (principals p) (receipts p) ltac:(lia) in').
    rewrite <- whole in *. apply (Z.mul_le_mono_pos_r _ _ (principals p)); lia.
  - rewrite (sum_same (share p) (fun r => principal r + mulDivDown (interest r) (received p - principals p) (reserved p))).
    2: { intros r. unfold share. apply Z.ltb_ge in enough. rewrite enough. reflexivity. }
    rewrite sum_adds, <- whole.
    enough (sum (fun r => mulDivDown (interest r) (received p - principals p) (reserved p)) (receipts p)
      <= received p - principals p) by lia.
    destruct (Z.eq_dec (reserved p) 0) as [none|].
    + rewrite (sum_same _ (fun r => 0)) by (intros r; unfold mulDivDown; rewrite none, Zdiv_0_r; reflexivity).
      enough (sum (fun _ => 0) (receipts p) = 0) by lia. generalize (receipts p).
      induction l as [|r l IH]; cbn [sum]; [reflexivity|]. unfold whenLive. destruct (live r); lia.
    + pose proof (parts_fit interest (received p - principals p) (reserved p) (receipts p) ltac:(lia) ltac:(lia)).
      rewrite <- money in *. apply (Z.mul_le_mono_pos_r _ _ (reserved p)); lia.
Qed.

(* 6. Principals first. In a winding down no receipt ever draws more than its part, *)
Theorem nobody_draws_beyond_its_share p r : sound p -> windingDown p = true -> In r (receipts p) -> live r = true ->
  0 <= drawn r <= share p r.
Proof.
  intros s winds here alive. destruct (soundWinding p s winds) as (_ & _ & _ & fair).
  rewrite Forall_forall in fair. specialize (fair r here alive). lia.
Qed.

(* nobody is paid any interest before what was received covers all principals, and then each receipt's part covers its own, *)
Theorem principals_before_interest p r other : sound p -> windingDown p = true ->
  In r (receipts p) -> live r = true -> principal r < drawn r -> In other (receipts p) ->
  principals p <= received p /\ principal other <= share p other.
Proof.
  intros s winds here alive interestPaid otherHere. pose proof (nobody_draws_beyond_its_share p r s winds here alive) as most.
  pose proof s as [good part some money claimed _ winding]. destruct (winding winds) as (all & less & in' & fair).
  rewrite Forall_forall in good. pose proof (good r here) as (_ & one & _). pose proof (good other otherHere) as (_ & _ & two & _).
  assert (enough : principals p <= received p).
  { destruct (Z.lt_ge_cases (received p) (principals p)) as [short|]; [|assumption]. exfalso.
    unfold share in most. pose proof short as below. apply Z.ltb_lt in below. rewrite below in most.
    enough (mulDivDown (principal r) (received p) (principals p) <= principal r) by lia.
    apply down_at_most; [lia|]. nia. }
  split; [assumption|]. unfold share. pose proof enough as above. apply Z.ltb_ge in above. rewrite above.
  enough (0 <= mulDivDown (interest other) (received p - principals p) (reserved p)) by lia.
  assert (0 <= reserved p) by (rewrite money; apply (good_sums (now p)); rewrite Forall_forall; assumption).
  destruct (Z.eq_dec (reserved p) 0) as [->|]; [unfold mulDivDown; rewrite Zdiv_0_r; lia|]. apply down_nonnegative; lia.
Qed.

(* and all that was drawn and can be drawn together never exceeds the money: the cash covers every claim. *)
Theorem draws_never_exceed_the_money p : sound p -> windingDown p = true ->
  sum drawn (receipts p) <= received p /\ sum (claimable p) (receipts p) <= cash p.
Proof.
  intros s winds. pose proof (shares_fit p s winds) as fit. destruct (soundWinding p s winds) as (all & less & in' & fair).
  split.
  - enough (sum drawn (receipts p) <= sum (share p) (receipts p)) by lia. apply sum_bounds.
    apply (Forall_impl _ (P := fun r => live r = true -> 0 <= drawn r <= Z.min (share p r) (principal r + earned r (now p))));
      [|assumption]. intros r most alive. specialize (most alive). lia.
  - assert (sum (fun r => claimable p r + drawn r) (receipts p) <= sum (share p) (receipts p)).
    { apply sum_bounds. rewrite Forall_forall. intros r _ _. unfold claimable. lia. }
    rewrite sum_adds in *. assert (received p <= cash p + claims p - liabilities p) by (unfold received; lia). lia.
Qed.

(* An early exit pays at least the part that leaves less the announced penalty, and at most the part and its interest at
   maturity. *)
Theorem early_exit_keeps_to_the_penalty p number part r a : sound p -> find p number = Some r ->
  run p (ExitEarly number part) = Some a ->
  part - mulDivUp part (penalty (terms r)) wad <= moved a
    <= part + interestFor part (rate (terms r)) (length (terms r)).
Proof.
  intros s found. destruct (found_in p number r found) as (_ & _ & here). pose proof (soundReceipts p s) as good.
  rewrite Forall_forall in good. cbn [run]. rewrite found.
  destruct (windingDown p); [discriminate|]. cbn [orb]. destruct (Z.leb_spec (maturity r) (now p)); [discriminate|].
  destruct (Z.leb_spec part 0); [discriminate|]. cbn [orb]. destruct (_ || _)%bool; [discriminate|].
  unfold withMoney. destruct (payOut _ _ _); [|discriminate].
  intros [= <-]. apply early_payout_bounds; [apply good; assumption|lia|lia].
Qed.

(* Money paid by calls one after another; refused ones pay nothing. *)
Fixpoint paidBy (p : product) (calls : list call) : Z :=
  match calls with
  | [] => 0
  | c :: rest => match run p c with Some a => moved a + paidBy (after a) rest | None => paidBy p rest end
  end.

Lemma nth_of_replaced line : forall number (r r' : receipt), nth_error line number = Some r ->
  nth_error (replace line number r') number = Some r'.
Proof. induction line as [|x rest IH]; intros [|n] r r'; cbn; try discriminate; [reflexivity|]. apply IH. Qed.

Lemma payOut_receipts q assets kept p : payOut q assets kept = Some p -> receipts p = receipts q /\ now p = now q.
Proof. unfold payOut. destruct (_ <=? _); [|discriminate]. intros [= <-]. split; reflexivity. Qed.

(* What an accepted early exit leaves of its receipt: nothing, or the rest. *)
Lemma exit_leaves p number part r a : find p number = Some r -> run p (ExitEarly number part) = Some a ->
  moved a = earlyPayout r part (now p) /\ 0 < part <= principal r /\ now p < maturity r /\ now (after a) = now p
  /\ find (after a) number = if part <? principal r then Some (reduced r part) else None.
Proof.
  intros found. destruct (found_in p number r found) as (there & alive & _). cbn [run]. rewrite found.
  destruct (windingDown p); [discriminate|]. cbn [orb]. destruct (Z.leb_spec (maturity r) (now p)); [discriminate|].
  destruct (Z.leb_spec part 0); [discriminate|]. destruct (Z.ltb_spec (principal r) part); [discriminate|]. cbn [orb].
  destruct (_ || _)%bool; [discriminate|]. unfold withMoney. destruct (payOut _ _ _) eqn:done; [|discriminate].
  intros [= <-]. apply payOut_receipts in done as [same sameTime]. cbn [moved after]. unfold find. rewrite same, sameTime.
  repeat split; try lia; destruct (part <? principal r); try reflexivity;
    cbn [reduce finish setReceipts receipts]; rewrite (nth_of_replaced _ _ _ _ there); cbn [live reduced ended];
    rewrite ?alive; reflexivity.
Qed.

Lemma whole_payout_nonnegative r time : goodReceipt time r -> 0 <= earlyPayout r (principal r) time.
Proof.
  intros (t & some & _ & opened). destruct t as ([] & [] & ?). unfold earlyPayout.
  pose proof (interestFor_rises (principal r) (breakRate (terms r)) (breakRate (terms r)) (time - openedAt r)
    (time - openedAt r) ltac:(lia) ltac:(lia) ltac:(lia)).
  assert (mulDivUp (principal r) (penalty (terms r)) wad <= principal r)
    by (apply up_at_most; [reflexivity|apply Z.mul_le_mono_nonneg_l; lia]). lia.
Qed.

(* The calls that can pay out a receipt of a product that is not wound down, and the passing of time. *)
Definition concerns (number : Z) (c : call) : Prop :=
  match c with ExitEarly n _ | Close n => n = number | Wait _ => True | _ => False end.

Lemma gone_pays_nothing number calls : forall p, find p number = None -> Forall (concerns number) calls -> paidBy p calls = 0.
Proof.
  induction calls as [|c rest IH]; intros p gone all; [reflexivity|]. inversion all as [|? ? one others]; subst.
  cbn [paidBy]. destruct c; cbn [concerns] in one; try tauto; try subst number0; cbn [run]; rewrite ?gone; auto.
  destruct (0 <=? time); [|auto]. cbn [moved after].
  match goal with |- 0 + paidBy ?later rest = 0 => exact (IH later gone others) end.
Qed.

(* Early exits of one receipt at one time, in any number of parts, pay no more than the whole does then. *)
Theorem parts_never_pay_more_than_the_whole number calls : forall p r, sound p -> find p number = Some r ->
  Forall (fun c => exists part, c = ExitEarly number part) calls ->
  paidBy p calls <= earlyPayout r (principal r) (now p).
Proof.
  induction calls as [|c rest IH]; intros p r s found all.
  - destruct (found_in p number r found) as (_ & _ & here). pose proof (soundReceipts p s) as good.
    rewrite Forall_forall in good. cbn [paidBy]. apply whole_payout_nonnegative. auto.
  - inversion all as [|? ? [part ->] others]; subst. cbn [paidBy].
    destruct (run p (ExitEarly number part)) as [a|] eqn:done; [|auto].
    destruct (exit_leaves p number part r a found done) as (paid & fits & _ & sameTime & left).
    assert (s' : sound (after a)) by (apply (run_keeps p (ExitEarly number part)); [assumption|exact I|assumption]).
    rewrite paid. destruct (Z.ltb_spec part (principal r)).
    + specialize (IH (after a) (reduced r part) s' left others). rewrite sameTime in IH.
      change (earlyPayout (reduced r part) (principal (reduced r part)) (now p))
        with (earlyPayout r (principal r - part) (now p)) in IH.
      pose proof (early_payouts_add r part (principal r - part) (now p)) as both.
      replace (part + (principal r - part)) with (principal r) in both by lia. lia.
    + assert (part = principal r) as -> by lia.
      rewrite (gone_pays_nothing number rest (after a) left); [lia|].
      apply (Forall_impl _ (P := fun c => exists part, c = ExitEarly number part)); [|assumption].
      intros c [part ->]. reflexivity.
Qed.

(* Parts that leave at any times and the rest at maturity together pay no more than the whole at maturity. *)
Theorem parts_and_rest_never_pay_more_than_maturity number calls : forall p r, sound p -> find p number = Some r ->
  Forall (concerns number) calls -> paidBy p calls <= principal r + interest r.
Proof.
  induction calls as [|c rest IH]; intros p r s found all; destruct (found_in p number r found) as (there & alive & here);
    pose proof (soundReceipts p s) as good; rewrite Forall_forall in good; specialize (good r here).
  - destruct good as (_ & ? & ? & _). cbn [paidBy]. lia.
  - inversion all as [|? ? one others]; subst. cbn [paidBy]. destruct (run p c) as [a|] eqn:done; [|auto].
    assert (s' : sound (after a)).
    { apply (run_keeps p c); [assumption| |assumption]. destruct c; cbn in *; tauto. }
    destruct c; cbn [concerns] in one; try tauto; try subst number0.
    + (* Close *)
      cbn [run] in done. rewrite found in done. destruct (_ || _)%bool; [discriminate|]. unfold withMoney in done.
      destruct (payOut _ _ _) eqn:paid; [|discriminate]. injection done as <-. apply payOut_receipts in paid as [same _].
      cbn [moved after] in *. rewrite (gone_pays_nothing number rest p0); [lia| |assumption].
      unfold find. rewrite same. cbn [finish setReceipts receipts]. rewrite (nth_of_replaced _ _ _ _ there). reflexivity.
    + (* ExitEarly *)
      destruct (exit_leaves p number part r a found done) as (paid & fits & early & _ & left).
      pose proof (early_payout_leaves_the_rest r part (now p) good ltac:(lia) ltac:(lia)) as atMost.
      pose proof (early_payout_bounds r part (now p) good ltac:(lia) ltac:(lia)) as bounds.
      rewrite paid. destruct (Z.ltb_spec part (principal r)).
      * specialize (IH (after a) (reduced r part) s' left others). cbn [reduced principal] in IH. lia.
      * assert (part = principal r) as -> by lia. rewrite (gone_pays_nothing number rest (after a) left others).
        unfold interest. lia.
    + (* Wait *)
      cbn [run] in done. destruct (Z.leb_spec 0 time); [|discriminate]. injection done as <-. cbn [moved after] in *.
      specialize (IH _ r s' found others). lia.
Qed.
