;; What the scripts for Eglot share.
(load (expand-file-name "emacs-common.el" (getenv "SCRIPTS")))
(need 'eglot "Eglot")
(load (getenv "RECIPE"))
(setq eglot-sync-connect 120 eglot-connect-timeout 120 jsonrpc-default-request-timeout 120
      eglot-send-changes-idle-time 0 eglot-confirm-server-initiated-edits nil)
