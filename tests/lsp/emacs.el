;;; Drives a real Emacs: evaluates the snippet in $SNIPPET, opens the plan named by $PLAN, waits until Flymake shows
;;; $WANTED diagnostics, and writes them to $OUT, a line each: line, the text underlined, the message.
;;; -*- lexical-binding: t -*-

(package-initialize)
(setq eglot-sync-connect 30 eglot-autoshutdown t eglot-send-changes-idle-time 0.1)
(setq lsp-diagnostics-provider :flymake lsp-auto-guess-root t lsp-restart 'ignore
      lsp-enable-file-watchers nil lsp-headerline-breadcrumb-enable nil lsp-modeline-diagnostics-enable nil
      lsp-session-file (expand-file-name "lsp-session" (getenv "HOME")))

(require (intern (getenv "CLIENT")))
(with-temp-buffer
  (insert-file-contents (getenv "SNIPPET"))
  (eval-buffer))

(defun until (what seconds)
  "Let Emacs work until WHAT answers something, for at most so many SECONDS."
  (let ((end (time-add nil seconds)) found)
    (while (and (not (setq found (funcall what))) (time-less-p nil end))
      (run-hooks 'post-command-hook)
      (accept-process-output nil 0.05))
    (or found (error "Nothing came in time"))))

(defun shown ()
  (when (bound-and-true-p flymake-mode)
    (flymake-start)
    (let ((items (flymake-diagnostics)))
      (and (>= (length items) (string-to-number (getenv "WANTED"))) items))))

(defun line-of (item)
  (format "%d\t%s\t%s\n"
          (line-number-at-pos (flymake-diagnostic-beg item))
          (buffer-substring-no-properties (flymake-diagnostic-beg item) (flymake-diagnostic-end item))
          (replace-regexp-in-string "\n" " " (flymake-diagnostic-text item))))

(find-file (getenv "PLAN"))
(let ((buffer (current-buffer)))
  (set-window-buffer (selected-window) buffer)
  (when (fboundp 'lsp--init-if-visible) ; called by an idle timer, and these never run in batch mode
    (lsp--init-if-visible))
  (let ((items (until #'shown 60)))
    (with-temp-file (getenv "OUT")
      (insert (with-current-buffer buffer (mapconcat #'line-of items ""))))))
(kill-emacs 0)
