;; Reads hints, while typing in another file.
(load (expand-file-name "eglot-common.el" (getenv "SCRIPTS")))

(defun shown ()
  "The buffer with its hints."
  (let ((from 1) (text ""))
    (dolist (o (sort (seq-filter (lambda (o) (overlay-get o 'eglot--inlay-hint))
                                 (overlays-in (point-min) (point-max)))
                     (lambda (a b)
                       (or (< (overlay-end a) (overlay-end b))
                           (and (= (overlay-end a) (overlay-end b)) ; parts of one
                                (> (overlay-get a 'priority) (overlay-get b 'priority)))))))
      (setq text (concat text (buffer-substring-no-properties from (overlay-end o))
                         (substring-no-properties (overlay-get o 'after-string)))
            from (overlay-end o)))
    (string-trim-right (concat text (buffer-substring-no-properties from (point-max))))))

(defun refresh ()
  "Ask for hints, as Emacs does where it shows a buffer."
  (eglot--update-hints-1 (point-min) (point-max)))

(defun drive ()
  (find-file "main.tf")
  (call-interactively #'eglot)
  (refresh)
  (wait-for "hints" (lambda () (string-search "t3.micro" (shown))))
  (note "main.tf:\n%s" (shown))
  (let ((main (current-buffer)))
    (find-file "local_override.tf")
    (goto-char (point-min))
    (search-forward "t3.micro")
    (replace-match "m6i.large")
    (eglot--signal-textDocument/didChange)
    (set-buffer main)
    (refresh)
    (wait-for "new hint" (lambda () (string-search "m6i.large" (shown))))
    (note "typed:\n%s" (shown)))
  (eglot-shutdown-all))

(if (fboundp 'eglot--update-hints-1)
    (run #'drive)
  (note "no hints before Emacs 29")
  (finish 0))
