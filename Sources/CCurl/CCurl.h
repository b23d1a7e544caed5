#ifndef LARDER_CCURL_H
#define LARDER_CCURL_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

/* The functions of libcurl that Larder uses. libcurl 7.68 and later versions have all of these functions.

   Larder opens libcurl at the first request instead of linking it. To load libcurl with its dependencies takes longer
   than a complete cached read in a new process. */
struct larder_curl {
    CURLcode (*global_init)(long);
    char *(*version)(void);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    const char *(*easy_strerror)(CURLcode);
    CURLcode (*easy_pause)(CURL *, int);
    CURLcode (*easy_send)(CURL *, const void *, size_t, size_t *);
    CURLcode (*easy_recv)(CURL *, void *, size_t, size_t *);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *);
    CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
    CURLMcode (*multi_add_handle)(CURLM *, CURL *);
    CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
    CURLMcode (*multi_perform)(CURLM *, int *);
    CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd[], unsigned int, int, int *);
    CURLMcode (*multi_wakeup)(CURLM *);
    CURLMsg *(*multi_info_read)(CURLM *, int *);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
    CURLU *(*url)(void);
    void (*url_cleanup)(CURLU *);
    CURLU *(*url_dup)(CURLU *);
    CURLUcode (*url_get)(CURLU *, CURLUPart, char **, unsigned int);
    CURLUcode (*url_set)(CURLU *, CURLUPart, const char *, unsigned int);
    void (*free)(void *);
};

/* Opens libcurl and finds its functions. Returns 0 if the library or a function is missing. The library stays open,
   because its threads and its TLS library cannot be unloaded safely. */
static inline int larder_curl_load(struct larder_curl *curl) {
#ifdef __APPLE__
    void *library = dlopen("libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("/usr/lib/libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl.so", RTLD_NOW | RTLD_LOCAL);
#endif
    if (!library) return 0;
#define LARDER_FIND(member, name)                                     \
    *(void **)(&curl->member) = dlsym(library, name);                 \
    if (!curl->member) return 0
    LARDER_FIND(global_init, "curl_global_init");
    LARDER_FIND(version, "curl_version");
    LARDER_FIND(easy_init, "curl_easy_init");
    LARDER_FIND(easy_cleanup, "curl_easy_cleanup");
    LARDER_FIND(easy_setopt, "curl_easy_setopt");
    LARDER_FIND(easy_getinfo, "curl_easy_getinfo");
    LARDER_FIND(easy_strerror, "curl_easy_strerror");
    LARDER_FIND(easy_pause, "curl_easy_pause");
    LARDER_FIND(easy_send, "curl_easy_send");
    LARDER_FIND(easy_recv, "curl_easy_recv");
    LARDER_FIND(multi_init, "curl_multi_init");
    LARDER_FIND(multi_cleanup, "curl_multi_cleanup");
    LARDER_FIND(multi_setopt, "curl_multi_setopt");
    LARDER_FIND(multi_add_handle, "curl_multi_add_handle");
    LARDER_FIND(multi_remove_handle, "curl_multi_remove_handle");
    LARDER_FIND(multi_perform, "curl_multi_perform");
    LARDER_FIND(multi_poll, "curl_multi_poll");
    LARDER_FIND(multi_wakeup, "curl_multi_wakeup");
    LARDER_FIND(multi_info_read, "curl_multi_info_read");
    LARDER_FIND(slist_append, "curl_slist_append");
    LARDER_FIND(slist_free_all, "curl_slist_free_all");
    LARDER_FIND(url, "curl_url");
    LARDER_FIND(url_cleanup, "curl_url_cleanup");
    LARDER_FIND(url_dup, "curl_url_dup");
    LARDER_FIND(url_get, "curl_url_get");
    LARDER_FIND(url_set, "curl_url_set");
    LARDER_FIND(free, "curl_free");
#undef LARDER_FIND
    return 1;
}

/* Each function of libcurl has a wrapper here. Swift cannot call variadic functions, and would import each function
   pointer as an optional. */

static inline CURLcode larder_curl_global_init(const struct larder_curl *curl) {
    return curl->global_init(CURL_GLOBAL_DEFAULT);
}

/* Returns the version of libcurl, such as libcurl/8.5.0, and the versions of the libraries that libcurl uses. */
static inline const char *larder_curl_version(const struct larder_curl *curl) { return curl->version(); }

static inline CURL *larder_curl_easy_init(const struct larder_curl *curl) { return curl->easy_init(); }

static inline void larder_curl_easy_cleanup(const struct larder_curl *curl, CURL *easy) { curl->easy_cleanup(easy); }

static inline CURLcode larder_curl_set_long(const struct larder_curl *curl, CURL *easy, CURLoption option, long value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_size(
    const struct larder_curl *curl, CURL *easy, CURLoption option, curl_off_t value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_pointer(
    const struct larder_curl *curl, CURL *easy, CURLoption option, const void *value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode larder_curl_set_callback(
    const struct larder_curl *curl, CURL *easy, CURLoption option, curl_write_callback value) {
    return curl->easy_setopt(easy, option, value);
}

/* Sets options that older headers do not define. An older library rejects these options, and the transfer then works
   without them. */
static inline void larder_curl_set_recent(const struct larder_curl *curl, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    /* Without this option, an aborted transfer blocks all transfers until its name resolution ends. */
    curl->easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
    (void)curl;
    (void)easy;
}

static inline CURLcode larder_curl_get_long(const struct larder_curl *curl, CURL *easy, CURLINFO info, long *value) {
    return curl->easy_getinfo(easy, info, value);
}

static inline CURLcode larder_curl_get_size(
    const struct larder_curl *curl, CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl->easy_getinfo(easy, info, value);
}

static inline CURLcode larder_curl_get_pointer(
    const struct larder_curl *curl, CURL *easy, CURLINFO info, void **value) {
    return curl->easy_getinfo(easy, info, value);
}

static inline const char *larder_curl_strerror(const struct larder_curl *curl, CURLcode code) {
    return curl->easy_strerror(code);
}

/* Resumes a transfer that a callback has paused. libcurl may call the callback before this function returns. */
static inline CURLcode larder_curl_continue(const struct larder_curl *curl, CURL *easy) {
    return curl->easy_pause(easy, CURLPAUSE_CONT);
}

/* Sends bytes over a connection without a transfer (CURLOPT_CONNECT_ONLY). */
static inline CURLcode larder_curl_send(
    const struct larder_curl *curl, CURL *easy, const void *bytes, size_t count, size_t *sent) {
    *sent = 0;
    return curl->easy_send(easy, bytes, count, sent);
}

/* Receives bytes over a connection without a transfer. CURLE_OK with 0 bytes means that the connection has ended. */
static inline CURLcode larder_curl_receive(
    const struct larder_curl *curl, CURL *easy, void *bytes, size_t count, size_t *received) {
    *received = 0;
    return curl->easy_recv(easy, bytes, count, received);
}

/* Returns the socket of a connection without a transfer. */
static inline CURLcode larder_curl_get_socket(const struct larder_curl *curl, CURL *easy, curl_socket_t *socket) {
    *socket = CURL_SOCKET_BAD;
    return curl->easy_getinfo(easy, CURLINFO_ACTIVESOCKET, socket);
}

static inline CURLM *larder_curl_multi_init(const struct larder_curl *curl) { return curl->multi_init(); }

static inline void larder_curl_multi_cleanup(const struct larder_curl *curl, CURLM *multi) {
    curl->multi_cleanup(multi);
}

static inline CURLMcode larder_curl_multi_set_long(
    const struct larder_curl *curl, CURLM *multi, CURLMoption option, long value) {
    return curl->multi_setopt(multi, option, value);
}

static inline CURLMcode larder_curl_multi_add(const struct larder_curl *curl, CURLM *multi, CURL *easy) {
    return curl->multi_add_handle(multi, easy);
}

static inline CURLMcode larder_curl_multi_remove(const struct larder_curl *curl, CURLM *multi, CURL *easy) {
    return curl->multi_remove_handle(multi, easy);
}

static inline CURLMcode larder_curl_multi_perform(const struct larder_curl *curl, CURLM *multi) {
    int running = 0;
    return curl->multi_perform(multi, &running);
}

/* Waits for events of the transfers and of additional sockets. */
static inline CURLMcode larder_curl_multi_poll(
    const struct larder_curl *curl, CURLM *multi, struct curl_waitfd *others, unsigned int count, int milliseconds) {
    return curl->multi_poll(multi, others, count, milliseconds, NULL);
}

static inline CURLMcode larder_curl_multi_wakeup(const struct larder_curl *curl, CURLM *multi) {
    return curl->multi_wakeup(multi);
}

/* Returns the next finished transfer with its result; NULL if there is none. */
static inline CURL *larder_curl_multi_next_done(const struct larder_curl *curl, CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl->multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

static inline struct curl_slist *larder_curl_slist_append(
    const struct larder_curl *curl, struct curl_slist *list, const char *line) {
    return curl->slist_append(list, line);
}

static inline void larder_curl_slist_free(const struct larder_curl *curl, struct curl_slist *list) {
    curl->slist_free_all(list);
}

static inline CURLU *larder_curl_url(const struct larder_curl *curl) { return curl->url(); }

static inline CURLU *larder_curl_url_copy(const struct larder_curl *curl, CURLU *url) { return curl->url_dup(url); }

static inline void larder_curl_url_cleanup(const struct larder_curl *curl, CURLU *url) { curl->url_cleanup(url); }

static inline CURLUcode larder_curl_url_get(
    const struct larder_curl *curl, CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return curl->url_get(url, part, text, flags);
}

static inline CURLUcode larder_curl_url_set(
    const struct larder_curl *curl, CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return curl->url_set(url, part, text, flags);
}

static inline void larder_curl_free(const struct larder_curl *curl, void *memory) { curl->free(memory); }

#endif
