;;; larder-process.el --- Requests to one larder process  -*- lexical-binding: t -*-

;;; Commentary:

;; The first request starts the process; after its exit, the next request starts a new process.  jsonrpc.el sends and
;; receives the messages, with `Content-Length' headers, as for a language server.

;;; Code:

(require 'jsonrpc)
(require 'cl-lib)
(require 'subr-x)

(defgroup larder nil
  "Pick, show, insert and complete items of APIs."
  :group 'tools
  :prefix "larder-")

(defcustom larder-command (or (getenv "LARDER_BIN") "larder")
  "The larder program: a path, or a name to search on the PATH."
  :type 'string)

(defcustom larder-arguments nil
  "The command-line options of larder, such as (\"--catalog\" \"github\")."
  :type '(repeat string))

(defcustom larder-timeout 30
  "Seconds until a request without a reply is cancelled."
  :type 'number)

(defvar larder--connection nil "The jsonrpc connection to the process, or nil.")
(defvar larder-ended-hook nil "Functions that run when the process has exited or was stopped.")

(defun larder-tell (format &rest arguments)
  "Show FORMAT with ARGUMENTS as a message in one line."
  (message "larder: %s" (string-trim (replace-regexp-in-string "[\s\t\n\r]+" " " (apply #'format format arguments)))))

(defun larder-tell-failure (failure)
  "Show the message of FAILURE, a JSON-RPC error, in one line."
  (larder-tell "%s" (plist-get failure :message)))

(defun larder--log (connection)
  "Return the buffer with the log of CONNECTION's process, or nil."
  (let ((buffer (process-get (jsonrpc--process connection) 'jsonrpc-stderr)))
    (and (buffer-live-p buffer) buffer)))

(defun larder--log-line (connection)
  "Return the last log line of CONNECTION's process after a colon, or \"\"."
  (let* ((text (if (larder--log connection) (with-current-buffer (larder--log connection) (buffer-string)) ""))
         ;; Emacs adds a line that starts with "Process " when the stream ends.
         (lines (cl-remove-if (lambda (line) (string-prefix-p "Process " line)) (split-string text "\n" t))))
    (if lines (concat ": " (car (last lines))) "")))

(defun larder--exit-reason (connection)
  "Return a message about the exit of CONNECTION's process."
  (let ((process (jsonrpc--process connection)))
    (format "'%s' %s %d%s" larder-command
            (if (eq (process-status process) 'signal) "was killed by signal" "exited with code")
            (process-exit-status process) (larder--log-line connection))))

(defun larder--when-ended (connection callback &optional tries)
  "Call CALLBACK with an error about the exit of CONNECTION's process.
No event announces the last log line, so this function polls for it up
to TRIES times."
  (let ((tries (or tries 100)) (log (and (larder--log connection) (get-buffer-process (larder--log connection)))))
    (if (and (> tries 0) (or (process-live-p (jsonrpc--process connection)) (and log (process-live-p log))))
        (run-at-time 0.01 nil #'larder--when-ended connection callback (1- tries))
      (funcall callback (list :code -1 :message (larder--exit-reason connection)) nil))))

(defun larder--start ()
  "Start the process and return the connection."
  (let ((connection
         (make-instance
          'jsonrpc-process-connection
          :name "larder"
          :on-shutdown (lambda (ended)
                         (when (eq ended larder--connection)
                           (setq larder--connection nil)
                           (run-hooks 'larder-ended-hook)))
          :process (lambda ()
                     (make-process :name "larder" :command (cons larder-command larder-arguments)
                                   :coding 'utf-8-emacs-unix :connection-type 'pipe :noquery t
                                   :stderr (with-current-buffer (get-buffer-create "*larder stderr*")
                                             (erase-buffer)
                                             (current-buffer)))))))
    ;; By default, jsonrpc.el stores each message, pretty-printed, in a buffer.
    (pcase-dolist (`(,slot . ,value) '((-events-buffer-scrollback-size . 0) (-events-buffer-config . (:size 0))))
      (when (slot-exists-p connection slot)
        (setf (slot-value connection slot) value)))
    (setq larder--connection connection)
    ;; With this process id, larder exits even if Emacs is killed.  An error means that larder has already exited; then
    ;; the next request fails.
    (ignore-errors
      (jsonrpc-async-request connection :initialize
                             (list :processId (emacs-pid) :clientInfo '(:name "Emacs"))
                             :success-fn #'ignore :error-fn #'ignore :timeout-fn #'ignore))
    connection))

(defun larder--running ()
  "Return the connection to the running process; start one if there is none."
  (if (and larder--connection (jsonrpc-running-p larder--connection))
      larder--connection
    (larder--start)))

(cl-defstruct (larder-request (:constructor larder--make-request)) connection id done)
(defvar larder--requests nil "The requests without a reply.")

(defun larder--settle (request)
  "Mark REQUEST as done; return nil if it was already done."
  (unless (larder-request-done request)
    (setq larder--requests (delq request larder--requests))
    (setf (larder-request-done request) t)))

(defun larder-cancel (request)
  "Cancel REQUEST, which may be nil, without calling its callback."
  (when (and request (larder--settle request))
    (let ((connection (larder-request-connection request)))
      (when (and connection (jsonrpc-running-p connection))
        (ignore-errors
          (jsonrpc-notify connection :$/cancelRequest (list :id (larder-request-id request))))))))

(defun larder-ask (method params callback)
  "Send a request for METHOD with PARAMS and return it without blocking.
CALLBACK is called later, once, with a JSON-RPC error or nil, and the
result.  It may read input from the user."
  (let ((request (larder--make-request)))
    (push request larder--requests)
    (cl-flet ((answer (failure result)
                (when (larder--settle request)
                  ;; The callback may wait for the user, so it must not run in the process filter.
                  (run-at-time 0 nil callback failure result))))
      (condition-case failure
          (let ((connection (larder--running)))
            (setf (larder-request-connection request) connection)
            (condition-case nil
                (jsonrpc-async-request
                 connection (intern (concat ":" method)) (or params (make-hash-table))
                 :timeout larder-timeout
                 :success-fn (lambda (result) (answer nil result))
                 :error-fn (lambda (failure)
                             (if (eq (plist-get failure :code) -1)
                                 (larder--when-ended connection #'answer)
                               (answer failure nil)))
                 :timeout-fn (lambda ()
                               (unless (larder-request-done request)
                                 (larder-cancel request)
                                 (run-at-time 0 nil callback
                                              (list :code -1 :message
                                                    (format "no reply to %s within %s s; raise `larder-timeout'"
                                                            method larder-timeout))
                                              nil))))
              ;; Writing fails if the process has just exited.
              (error (larder--when-ended connection #'answer)))
            (setf (larder-request-id request) (jsonrpc--next-request-id connection)))
        (file-error
         (answer (list :code -1 :message (format "cannot start '%s': %s; set `larder-command'"
                                                 larder-command (car (last failure))))
                 nil))))
    request))

(defun larder-stop ()
  "Stop the larder process.  The next command starts another one."
  (interactive)
  (when-let ((connection larder--connection))
    (mapc #'larder-cancel larder--requests)
    (setq larder--connection nil)
    (run-hooks 'larder-ended-hook)
    (when (jsonrpc-running-p connection)
      (ignore-errors (process-send-eof (jsonrpc--process connection))))))

(provide 'larder-process)
;;; larder-process.el ends here
