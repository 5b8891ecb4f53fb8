;; Types, reads diagnostics and a hover, applies an action, undoes it, goes to a definition,
;; writes settings.
(load (expand-file-name "eglot-common.el" (getenv "SCRIPTS")))
(need 'markdown-mode "markdown-mode, without which Eglot asks for plain text")

(defun seen ()
  "The diagnostics of the buffer, as LINE: MESSAGE."
  (mapconcat (lambda (d) (format "%d: %s" (line-number-at-pos (flymake-diagnostic-beg d))
                                 ;; Some releases put the source and the code in front.
                                 (replace-regexp-in-string "\\`tofumerge ?\\[[^]]*\\]:? " ""
                                                           (flymake-diagnostic-text d))))
             (flymake-diagnostics) "\n"))

(defun drive ()
  (find-file "local_override.tf")
  (buffer-enable-undo)
  (call-interactively #'eglot)
  (goto-char (point-min))
  (search-forward "t3.micro")
  (replace-match "m5.large")
  (eglot--signal-textDocument/didChange)
  (wait-for "diagnostics" (lambda () (flymake-start) (flymake-diagnostics)))
  (note "typed: %s" (seen))
  (goto-char (point-min))
  (search-forward "instance_type")
  (backward-char 3)
  (note "hover: %s"
        (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                               (eglot--TextDocumentPositionParams))
                              :contents)
                   :value))
  (undo-boundary)
  (let (titles (last-nonmenu-event t)) ; not a click
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt choices &rest _)
                 (setq titles (all-completions "" choices))
                 (car titles))))
      (eglot-code-actions (line-beginning-position) (line-end-position) nil t))
    (note "actions: %s" (mapconcat #'identity titles " | ")))
  (note "after the first:\n%s" (string-trim-right (buffer-string)))
  (eglot--signal-textDocument/didChange)
  (wait-for "diagnostics to go" (lambda () (flymake-start) (not (flymake-diagnostics))))
  (undo-boundary)
  (undo)
  (eglot--signal-textDocument/didChange)
  (wait-for "diagnostics to come back" (lambda () (flymake-start) (flymake-diagnostics)))
  (note "undone: %s" (seen))
  (goto-char (point-min))
  (search-forward "instance_type")
  (backward-char 3)
  (xref-find-definitions nil)
  (note "definition: %s:%d" (buffer-name) (line-number-at-pos))
  ;; Settings: the file is new, and applies before it is saved.
  (find-file ".tofumerge.hcl")
  (wait-for "server" #'eglot-current-server)
  (insert "disable = [\"no-efect\"]\n")
  (eglot--signal-textDocument/didChange)
  (wait-for "diagnostics of settings" (lambda () (flymake-start) (flymake-diagnostics)))
  (note "settings: %s" (seen))
  (eglot-shutdown-all))

(run #'drive)
