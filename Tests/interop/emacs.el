;;; Emacs's jsonrpc.el, the client below Eglot: `Content-Length' framing over a process.  -*- lexical-binding: t -*-

(require 'jsonrpc)
(require 'json)

(defun interop-session (plan)
  "Go through the session with the command of PLAN.  Return what was seen as a plist."
  (let* ((connection
          (make-instance
           'jsonrpc-process-connection
           :name "larder"
           :process (lambda ()
                      (make-process :name "larder"
                                    :command (append (plist-get plan :command) nil)
                                    :coding 'utf-8-emacs-unix
                                    :connection-type 'pipe
                                    :noquery t
                                    :stderr (get-buffer-create "*larder stderr*")))))
         (process (jsonrpc--process connection))
         seen)
    (cl-labels ((note (key value) (setq seen (plist-put seen key value)))
                (ask (method params) (jsonrpc-request connection method params :timeout 30))
                (refused (method params)
                  (condition-case failure
                      (error "Expected an error, got %S" (ask method params))
                    (jsonrpc-error
                     (list :code (alist-get 'jsonrpc-error-code (cddr failure))
                           :message (alist-get 'jsonrpc-error-message (cddr failure))
                           :data (alist-get 'jsonrpc-error-data (cddr failure)))))))
      (note :initialize (ask :initialize (list :processId (emacs-pid) :capabilities (make-hash-table))))
      (jsonrpc-notify connection :initialized (make-hash-table))
      (note :get (ask :character/get '(:id 1)))
      (note :list (ask :character/list '(:page 1)))

      (let (cancelled id)
        (jsonrpc-async-request connection :character/get '(:id 2 :cachePolicy "none")
                               :success-fn (lambda (result) (setq cancelled (list :result result)))
                               :error-fn (lambda (failure) (setq cancelled failure)))
        (setq id (jsonrpc--next-request-id connection))
        (note :gate (ask :location/get '(:id 1)))
        (jsonrpc-notify connection :$/cancelRequest (list :id id))
        (while (and (not cancelled) (process-live-p process))
          (accept-process-output process 1))
        (note :cancelled cancelled))

      (note :notFound (refused :character/get '(:id 99999)))
      (note :recents (ask :recents/add (list :text (plist-get plan :text))))
      (note :shutdown (ask :shutdown nil))
      (jsonrpc-notify connection :exit nil)
      (while (process-live-p process)
        (accept-process-output process 1))
      (note :exitCode (process-exit-status process))
      seen)))

(let* ((coding-system-for-read 'utf-8-unix)
       (coding-system-for-write 'utf-8-unix)
       (plan (with-temp-buffer
               (insert-file-contents (getenv "LARDER_INTEROP"))
               (json-parse-buffer :object-type 'plist)))
       (seen (interop-session plan)))
  (with-temp-file (plist-get plan :results)
    (insert (json-serialize seen :null-object nil :false-object :json-false))))
