;;; larder-process.el --- Requests to one larder process  -*- lexical-binding: t -*-

;;; Commentary:

;; The process is started by the first request, and anew by the next one after its end.  jsonrpc.el speaks to it with
;; `Content-Length' headers, as to a language server.

;;; Code:

(require 'jsonrpc)
(require 'cl-lib)
(require 'subr-x)

(defgroup larder nil
  "Items of APIs at hand, through larder."
  :group 'tools
  :prefix "larder-")

(defcustom larder-command (or (getenv "LARDER_BIN") "larder")
  "The program."
  :type 'string)

(defcustom larder-arguments nil
  "Its options, such as (\"--catalog\" \"github\")."
  :type '(repeat string))

(defcustom larder-timeout 30
  "Seconds until a request without an answer is taken back."
  :type 'number)

(defvar larder--connection nil "What speaks to the process, or nil.")
(defvar larder-ended-hook nil "Run when the process has ended or was stopped.")

(defun larder-tell (format &rest arguments)
  "Say FORMAT with ARGUMENTS in one line."
  (message "larder: %s" (string-trim (replace-regexp-in-string "[\s\t\n\r]+" " " (apply #'format format arguments)))))

(defun larder-tell-failure (failure)
  "Say in one line what FAILURE, an error of the protocol, is."
  (larder-tell "%s" (plist-get failure :message)))

(defun larder--log (connection)
  "The buffer with the log of CONNECTION's process, or nil."
  (let ((buffer (process-get (jsonrpc--process connection) 'jsonrpc-stderr)))
    (and (buffer-live-p buffer) buffer)))

(defun larder--log-line (connection)
  "The last line of the log of CONNECTION's process, or nothing."
  (let* ((text (if (larder--log connection) (with-current-buffer (larder--log connection) (buffer-string)) ""))
         ;; Emacs itself adds a line when the stream ends.
         (lines (cl-remove-if (lambda (line) (string-prefix-p "Process " line)) (split-string text "\n" t))))
    (if lines (concat ": " (car (last lines))) "")))

(defun larder--why-ended (connection)
  "Why CONNECTION's process is there no more."
  (let ((process (jsonrpc--process connection)))
    (format "'%s' has ended %s %d%s" larder-command
            (if (eq (process-status process) 'signal) "by signal" "with code")
            (process-exit-status process) (larder--log-line connection))))

(defun larder--when-ended (connection callback &optional turns)
  "Call CALLBACK with an error that says why CONNECTION's process has ended.
What it said last may come only after that, and nobody tells of it: it
is looked for again, up to TURNS times."
  (let ((turns (or turns 100)) (log (and (larder--log connection) (get-buffer-process (larder--log connection)))))
    (if (and (> turns 0) (or (process-live-p (jsonrpc--process connection)) (and log (process-live-p log))))
        (run-at-time 0.01 nil #'larder--when-ended connection callback (1- turns))
      (funcall callback (list :code -1 :message (larder--why-ended connection)) nil))))

(defun larder--start ()
  "Start the process."
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
    ;; Each message would be kept, pretty-printed.
    (pcase-dolist (`(,slot . ,value) '((-events-buffer-scrollback-size . 0) (-events-buffer-config . (:size 0))))
      (when (slot-exists-p connection slot)
        (setf (slot-value connection slot) value)))
    (setq larder--connection connection)
    ;; With it, larder ends also where Emacs is killed.  Where it has ended already, the next request says so.
    (ignore-errors
      (jsonrpc-async-request connection :initialize
                             (list :processId (emacs-pid) :clientInfo '(:name "Emacs"))
                             :success-fn #'ignore :error-fn #'ignore :timeout-fn #'ignore))
    connection))

(defun larder--running ()
  "The connection to a process that runs."
  (if (and larder--connection (jsonrpc-running-p larder--connection))
      larder--connection
    (larder--start)))

(cl-defstruct (larder-request (:constructor larder--make-request)) connection id over)
(defvar larder--requests nil "Those that have no answer yet.")

(defun larder--settle (request)
  "Whether REQUEST had no answer yet; now it has."
  (unless (larder-request-over request)
    (setq larder--requests (delq request larder--requests))
    (setf (larder-request-over request) t)))

(defun larder-cancel (request)
  "Take REQUEST back, which may be nil: it is called back no more."
  (when (and request (larder--settle request))
    (let ((connection (larder-request-connection request)))
      (when (and connection (jsonrpc-running-p connection))
        (ignore-errors
          (jsonrpc-notify connection :$/cancelRequest (list :id (larder-request-id request))))))))

(defun larder-ask (method params callback)
  "Ask for METHOD with PARAMS; return the request at once.
CALLBACK is called later, once, with an error of the protocol or nil,
and the result.  It may read from the user."
  (let ((request (larder--make-request)))
    (push request larder--requests)
    (cl-flet ((answer (failure result)
                (when (larder--settle request)
                  ;; Not within the filter that reads on.
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
                               (unless (larder-request-over request)
                                 (larder-cancel request)
                                 (run-at-time 0 nil callback
                                              (list :code -1 :message (format "no answer to %s within %s s"
                                                                              method larder-timeout))
                                              nil))))
              ;; Nothing can be written to a process that has just ended.
              (error (larder--when-ended connection #'answer)))
            (setf (larder-request-id request) (jsonrpc--next-request-id connection)))
        (file-error
         (answer (list :code -1 :message (format "'%s' cannot be started (%s): set `larder-command'"
                                                 larder-command (car (last failure))))
                 nil))))
    request))

(defun larder-stop ()
  "End the process.  The next command starts another one."
  (interactive)
  (when-let ((connection larder--connection))
    (mapc #'larder-cancel larder--requests)
    (setq larder--connection nil)
    (run-hooks 'larder-ended-hook)
    (when (jsonrpc-running-p connection)
      (ignore-errors (process-send-eof (jsonrpc--process connection))))))

(provide 'larder-process)
;;; larder-process.el ends here
