;;; Scenarios in Emacs: commands and the expected results.  -*- lexical-binding: t -*-

(require 'larder)
(require 'json)

;; The names are long, because a variable of the same name in the package would become dynamic.

(defvar scenario-plan (with-temp-buffer
               (insert-file-contents (getenv "LARDER_PLAN"))
               (json-parse-buffer :object-type 'plist)))
(defvar scenarios nil)
(defvar scenario-answers nil "The answers to the next prompts: texts, or indices of candidates from 0.")
(defvar scenario-offered nil "The candidates of the last prompt.")

(defmacro scenario (name &rest body)
  (declare (indent 1))
  `(push (cons ,(symbol-name name) (lambda () ,@body)) scenarios))

(defun same (found expected)
  (unless (equal found expected)
    (error "It is %S, not %S" found expected)))

(defun has (text part)
  (unless (string-match-p (regexp-quote part) (or text ""))
    (error "%S is not in %S" part text)))

(defun wait-until (what condition)
  (let ((end (+ (float-time) 30)) found)
    (while (not (setq found (funcall condition)))
      (when (> (float-time) end)
        (error "Never: %s; the last words are %S, shown is %S" what scenario-told (shown)))
      (accept-process-output nil 0.02))
    found))

(defvar scenario-told nil "What was said last.")
(advice-add 'larder-tell :after
            (lambda (format &rest arguments) (setq scenario-told (apply #'format format arguments))))

(setq larder-command (plist-get scenario-plan :command)
      larder-arguments (append (plist-get scenario-plan :arguments) nil)
      completing-read-function
      (lambda (_prompt table &rest _)
        (setq scenario-offered (all-completions "" table))
        (let ((answer (if scenario-answers
                          (pop scenario-answers)
                        (error "A prompt that was not expected: %S" scenario-offered))))
          (if (numberp answer) (nth answer scenario-offered) answer))))

(defun shown ()
  (when-let ((buffer (get-buffer "*larder*")))
    (with-current-buffer buffer (buffer-string))))

(defun wait-for-item (title)
  (wait-until title (lambda () (string-prefix-p (concat title "\n") (or (shown) ""))))
  (set-buffer "*larder*"))

(defun wait-for-words ()
  (prog1 (wait-until "words" (lambda () scenario-told))
    (setq scenario-told nil)))

(defun ask (method &optional params)
  (let (over found)
    (larder-ask method params (lambda (failure result) (setq over t found (or failure result))))
    (wait-until method (lambda () over))
    found))

(defun wait-for-nothing-under-way ()
  (wait-until "the end of the request" (lambda () (eq (plist-get (ask "server/status") :inFlight) 0)))
  (same (shown) nil)
  (same scenario-told nil))

(defun move-on (motion)
  (funcall motion)
  (run-hooks 'post-command-hook))

(scenario pick
  (setq scenario-answers (list "character" "rick" 1))
  (larder)
  (wait-for-item "character 8")
  (has (shown) "name      Adjudicator Rick")
  (has (shown) "from the cache (memory)")
  (same (car scenario-offered) "1  Rick Sanchez"))

(scenario pick_from_the_next_page
  (setq scenario-answers (list 20 1))
  (larder "character" "")
  (wait-for-item "character 22"))

(scenario renamed_id_field_is_used
  (setq scenario-answers (list 1))
  (larder "place" "")
  (wait-for-item "place 2")
  (same (cadr scenario-offered) "2  Abadango")
  (has (shown) "id      Cluster"))

(scenario renamed_items_with_equal_titles_are_numbered
  (setq scenario-answers (list 3))
  (larder "kind" "")
  (wait-for-item "kind")
  (same (seq-take scenario-offered 4) '("Planet" "Cluster" "Space station" "Planet (2)"))
  (same (seq-uniq scenario-offered) scenario-offered)
  (has (shown) "place  Worldender's lair"))

(scenario undeclared_text_is_searched_after_the_list_is_fetched
  (setq scenario-answers (list 0))
  (larder "place" "bird")
  (wait-for-item "place 15")
  (same scenario-offered '("15  Bird World"))
  (larder "place" "nowhere")
  (has (wait-for-words) "no cached item of 'place' matches"))

(scenario undeclared_fields_keep_the_order_of_the_api
  (larder "place" "id=3")
  (wait-for-item "place 3")
  (has (replace-regexp-in-string "  .*" "" (shown)) "id\nname\ntype\ndimension\nresidents\nurl\ncreated\n"))

(scenario newlines_in_an_id_and_a_field_name
  (let ((resource (make-larder-resource :name "note" :id-key :id :fields '("id" "first\nsecond")))
        (item (list :id "a\nb" (intern ":first\nsecond") "one\ntwo")))
    (larder--show resource (list :item item :source "memory" :fetchedAt "2026-01-01T00:00:00Z") (point-marker) nil)
    (has (shown) "note a b\nid            a b\nfirst second  one two\n")
    (same (larder-label resource item) "a b")
    (set-buffer "*larder*")
    (goto-char (point-min))
    (forward-line 2)
    (same (larder--field) "one\ntwo")))

(scenario insert
  (let ((draft (get-buffer-create "draft")))
    (switch-to-buffer draft)
    (insert "Who is ?")
    (backward-char)
    (larder "character" "id=2")
    (wait-for-item "character 2")
    (search-forward "Smith")
    (larder-insert)
    (same (current-buffer) draft)
    (same (buffer-string) "Who is Morty Smith?")))

(scenario second_preview_replaces_the_first
  (insert "Who is ?")
  (backward-char)
  (larder "character" "id=2")
  (wait-for-item "character 2")
  (larder "character" "id=3")
  (wait-for-item "character 3")
  (search-forward "Summer")
  (larder-insert)
  (same (buffer-string) "Who is Summer Smith?"))

(scenario copy_of_an_object_is_json
  (larder "character" "id=1")
  (wait-for-item "character 1")
  (search-forward "origin")
  (larder-copy)
  (same (current-kill 0) "{\"name\":\"Earth (C-137)\",\"url\":\"https://rickandmortyapi.com/api/location/1\"}"))

(scenario provenance
  (larder "character" "id=2")
  (wait-for-item "character 2")
  (has (shown) "from the API, just now")
  (larder "character" "id=2")
  (wait-until "what memory has" (lambda () (string-match-p "from the cache (memory)" (shown))))
  (set-buffer "*larder*")
  (larder-refresh)
  (wait-until "what the API has" (lambda () (string-match-p "from the API" (shown)))))

(scenario history
  (setq scenario-answers (list 0))
  (larder "character" "rick")
  (wait-for-item "character 1")
  (larder "character" "status=Dead rick")
  (wait-for-words) ; there is no recording of that
  (setq scenario-answers (list "rick" 2))
  (larder-recents "character")
  (wait-for-item "character 15")
  (same (append (plist-get (ask "recents/list" '(:scope "character")) :recents) nil) '("rick" "status=Dead rick")))

(scenario completion
  (insert "see character/rick")
  (pcase-let ((`(,start ,end ,table . ,more) (larder-completion-at-point)))
    (same (list start end) '(5 19))
    (setq scenario-offered (completion-all-completions (buffer-substring start end) table nil (- end start)))
    (same (nth 1 scenario-offered) "Adjudicator Rick")
    (same (funcall (plist-get more :annotation-function) (nth 1 scenario-offered)) " character 8")))

(scenario completion_in_the_text
  (setq larder-resource "character" completion-at-point-functions '(larder-completion-at-point))
  (larder "character" "id=8")
  (wait-for-item "character 8")
  (with-temp-buffer
    (setq larder-resource "character" completion-at-point-functions '(larder-completion-at-point))
    (insert "see adjud")
    (completion-at-point)
    (same (buffer-string) "see Adjudicator Rick")))

(defun type-query (keys)
  "Type KEYS at the prompt for a query and return the query."
  (let* ((completing-read-function #'completing-read-default) found
         (map '(keymap (?q . scenario-read)))
         (overriding-terminal-local-map map))
    (defalias 'scenario-read
      (lambda ()
        (interactive)
        (setq overriding-terminal-local-map nil
              found (larder--read-query (larder-resource-named "character") '("rick")))))
    (execute-kbd-macro (vconcat "q" (kbd keys)))
    found))

(scenario completion_of_the_query
  (larder-with-resources #'ignore)
  (wait-until "the catalog" (lambda () larder--resources))
  (same (type-query "r i TAB SPC s p TAB H u m a n SPC s t a t u s = D TAB RET") "rick species=Human status=Dead")
  (let ((table (larder--query-table (larder-resource-named "character") nil)))
    (same (all-completions "status=" table) '("status=Alive" "status=Dead" "status=unknown"))
    (same (all-completions "rick name=" table) nil)))

(scenario eldoc
  (ask "server/status")
  (let (said)
    (insert "see api/character/2 there")
    (goto-char 12)
    (same (larder-eldoc-function #'ignore) nil) ; the catalog was not read yet
    (larder-with-resources #'ignore)
    (wait-until "the catalog" (lambda () larder--resources))
    (larder-eldoc-function (lambda (text &rest more) (setq said (cons text more))))
    (wait-until "words" (lambda () said))
    (has (car said) "Morty Smith (from the API, just now)")
    (same (plist-get (cdr said) :thing) "character 2")))

(scenario names_with_dots
  (let* ((catalog (concat (plist-get scenario-plan :home) "/catalog.json"))
         (of (lambda (path)
               (format "{\"api\":\"a\",\"id\":\"integer\",\"fields\":{\"id\":\"integer\",\"name\":\"string\"},\
\"rest\":{\"get\":{\"path\":\"/api/%s/{id}\"}}}" path))))
    (with-temp-file catalog
      (insert (format "{\"larder\":1,\"apis\":{\"a\":{\"baseURL\":\"https://rickandmortyapi.com\"}},\
\"resources\":{\"my.thing\":%s,\"thing\":%s}}" (funcall of "character") (funcall of "location"))))
    (setq larder-arguments (append (list "--catalog" catalog) larder-arguments))
    (pcase-dolist (`(,text ,title) '(("my.thing/8" "my.thing 8") ("your.thing/3" "thing 3")
                                     ("a.my.thing/8" "my.thing 8")))
      (switch-to-buffer "work")
      (erase-buffer)
      (insert text)
      (goto-char 10)
      (larder-at-point)
      (wait-for-item title))
    (switch-to-buffer "work")
    (erase-buffer)
    (insert "see a.my.thing/Adju")
    (pcase-let ((`(,start ,end ,table . ,_) (larder-completion-at-point)))
      (same (list start end) '(7 20))
      (same (all-completions "" table) '("Adjudicator Rick")))))

;; The API does not answer requests for character 2. It answers location 1 as soon as that request has arrived.
(defun held (start)
  (insert "character/2 and more")
  (goto-char 3)
  (funcall start)
  (wait-until "the request" (lambda () (or larder--under-way larder--eldoc)))
  (same (plist-get (plist-get (ask "location/get" '(:id 1)) :item) :id) 1)
  (same (plist-get (ask "server/status") :inFlight) 1))

(scenario unanswered_request_is_cancelled_by_moving
  (held #'larder-at-point)
  (move-on #'ignore)
  (same (plist-get (ask "server/status") :inFlight) 1)
  (move-on #'forward-char)
  (wait-for-nothing-under-way))

(scenario unanswered_eldoc_is_cancelled_by_moving
  (larder-with-resources #'ignore)
  (wait-until "the catalog" (lambda () larder--resources))
  (held (lambda () (larder-eldoc-function (lambda (&rest _) (setq scenario-told "eldoc")))))
  (move-on #'forward-char)
  (wait-for-nothing-under-way))

(scenario unanswered_request_is_cancelled_by_stop
  (held #'larder-at-point)
  (larder-stop)
  (wait-for-nothing-under-way))

(scenario unanswered_request_times_out
  (larder-with-resources #'ignore)
  (wait-until "the catalog" (lambda () larder--resources))
  (let ((larder-timeout 0.5))
    (larder "character" "id=2")
    (has (wait-for-words) "no reply to character/get within 0.5 s"))
  (wait-for-nothing-under-way)
  (ask "location/get" '(:id 1)))

(scenario unanswered_completion_is_cancelled_by_typing
  (insert "character/zz")
  (larder-with-resources #'ignore)
  (wait-until "the catalog" (lambda () larder--resources))
  ;; Press the key as soon as the request has reached the API.
  (larder-ask "location/get" '(:id 1) (lambda (&rest _) (setq unread-command-events (list ?y))))
  (let ((found (larder-completion-at-point)))
    (same (all-completions "" (nth 2 found)) nil)
    (same unread-command-events (list ?y)))
  (setq unread-command-events nil)
  (wait-for-nothing-under-way))

(scenario unanswered_request_fails_if_the_process_ends
  (held #'larder-at-point)
  (signal-process (jsonrpc--process larder--connection) 'SIGKILL)
  (has (wait-for-words) "was killed by signal 9")
  (same larder--connection nil))

(scenario errors_are_one_line
  (cl-flet ((refused (words &rest arguments)
              (apply (pop arguments) arguments)
              (has (wait-for-words) words)
              (same (shown) nil)))
    (refused "Character not found" #'larder "character" "id=99999")
    (refused "there is no resource 'planet'; use one of character, episode, location" #'larder "planet" "")
    (refused "'character' has no filter 'colour'; use one of id, name, status" #'larder "character" "colour=red")
    (refused "no item of 'character' matches" #'larder "character" "nobody at all")
    (refused "no recent searches in episode" #'larder-recents "episode")
    (refused "no item at point" #'larder-at-point)))

(scenario missing_program_is_reported
  (setq larder-command "no-such-program")
  (larder "character" "")
  (has (wait-for-words) "cannot start 'no-such-program'"))

(scenario faulty_catalog_is_reported
  (let ((catalog (concat (plist-get scenario-plan :home) "/broken.jsonc")))
    (with-temp-file catalog (insert "{\n"))
    (setq larder-arguments (list "--catalog" catalog))
    (larder "character" "")
    (has (wait-for-words) (format "exited with code 78: %s:" catalog))))

(scenario the_process_ends
  (let ((first (progn (ask "server/status") (jsonrpc--process larder--connection))))
    (signal-process first 'SIGKILL)
    (wait-until "the end" (lambda () (null larder--connection)))
    (larder "character" "id=2")
    (wait-for-item "character 2")
    (let ((second (jsonrpc--process larder--connection)))
      (same (eq first second) nil)
      (larder-stop)
      (same larder--connection nil)
      (wait-until "the end" (lambda () (not (process-live-p second))))
      (same (process-exit-status second) 0))))

(condition-case failure
    (progn (with-current-buffer (get-buffer-create "work")
             (switch-to-buffer "work")
             (funcall (or (cdr (assoc (plist-get scenario-plan :scenario) scenarios)) (error "No such scenario"))))
           (when larder--connection
             (larder-stop)))
  (error (message "%S" failure)
         (kill-emacs 1)))
