; Rounding.v once more, by a solver that shares no code with Coq: each question asks for a counterexample, and there is none.
(set-logic QF_NIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const q Int)
(declare-const most Int)
(assert (> c 0))

; down_bounds
(push)
(assert (= q (div (* a b) c)))
(assert (not (and (<= (* q c) (* a b)) (< (* a b) (* (+ q 1) c)))))
(check-sat)
(pop)

; up_bounds
(push)
(assert (= q (- (div (- (* a b)) c))))
(assert (not (and (< (* (- q 1) c) (* a b)) (<= (* a b) (* q c)))))
(check-sat)
(pop)

; down_nonnegative
(push)
(assert (and (>= a 0) (>= b 0) (= q (div (* a b) c)) (< q 0)))
(check-sat)
(pop)

; up_nonnegative
(push)
(assert (and (>= a 0) (>= b 0) (= q (- (div (- (* a b)) c))) (< q 0)))
(check-sat)
(pop)

; down_at_most
(push)
(assert (and (< (* a b) (* (+ most 1) c)) (= q (div (* a b) c)) (> q most)))
(check-sat)
(pop)

; up_at_most
(push)
(assert (and (<= (* a b) (* most c)) (= q (- (div (- (* a b)) c))) (> q most)))
(check-sat)
(pop)

; up_exact
(push)
(assert (and (= q (- (div (- (* a c)) c))) (not (= q a))))
(check-sat)
(pop)
