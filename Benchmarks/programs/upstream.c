// upstream: a fast HTTP/1.1 server on 127.0.0.1 with characters in the shape of the Rick and Morty API. It is fast
// enough that a cold miss measures the client and not the server.
//
//     upstream        prints "http://127.0.0.1:PORT" on its first line; serves until stdin closes
//
//     GET /api/character/N         the character N, for every N from 1
//     GET /api/character/N,M,...   an array of them
//     GET /api/character/sheet/P   the 20 characters of page P as one item
//     GET /api/character?page=P    20 characters and the page info (826 characters, 42 pages)
//     GET /api/feed?page=P         100 characters of the feed, and their count. With `since=N`, the characters from N+1.
//                                  The feed has `total=N` characters, plus the additional ones
//     GET /api/feed/state          the number of requests of feeds, and the time of the last one on the monotonic clock.
//                                  With `more=N`, all feeds get N additional characters
//
// It has one thread with poll and persistent connections, and answers pipelined requests in order. Other paths get 404,
// other methods 405.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include "common.h"

#define CLIENTS_MAX 256
#define REQUEST_MAX (16 << 10)
#define BODY_MAX (128 << 10)
#define OUTPUT_MAX (512 << 10)
#define PAGE_SIZE 20
#define CHARACTERS 826
#define PAGES ((CHARACTERS + PAGE_SIZE - 1) / PAGE_SIZE)
#define FEED_SIZE 100
#define FEED_MAX 100000000

struct client {
    int fd;
    char input[REQUEST_MAX];
    size_t have;
    char *output;
    size_t length, sent;
};

static struct client clients[CLIENTS_MAX];
static size_t client_count;
static char body[BODY_MAX];
static long feed_requests, feed_more;
static double feed_answered_us;

static size_t list_body(long page) {
    long last = page * PAGE_SIZE < CHARACTERS ? page * PAGE_SIZE : CHARACTERS;
    char next[128] = "null", previous[128] = "null";
    const char *link = "\"https://rickandmortyapi.com/api/character?page=%ld\"";
    if (page < PAGES) snprintf(next, sizeof next, link, page + 1);
    if (page > 1) snprintf(previous, sizeof previous, link, page - 1);
    size_t used = (size_t)snprintf(
        body, sizeof body, "{\"info\":{\"count\":%d,\"pages\":%d,\"next\":%s,\"prev\":%s},\"results\":[", CHARACTERS,
        PAGES, next, previous);
    for (long id = (page - 1) * PAGE_SIZE + 1; id <= last; id++) {
        used += write_item(body + used, id);
        body[used++] = id < last ? ',' : ']';
    }
    body[used++] = '}';
    return used;
}

// Returns the number of a query parameter, or `otherwise`.
static long parameter(const char *path, const char *name, long otherwise) {
    const char *at = strstr(path, name);
    return at ? strtol(at + strlen(name), NULL, 10) : otherwise;
}

// Writes a page of a feed of `total` characters. It starts after the character `since`.
static size_t feed_body(long page, long since, long total) {
    long count = since < total ? total - since : 0;
    long first = since + (page - 1) * FEED_SIZE + 1, last = first + FEED_SIZE - 1;
    if (last > total) last = total;
    size_t used = (size_t)snprintf(body, sizeof body, "{\"count\":%ld,\"results\":[", count);
    for (long id = first; id <= last; id++) {
        if (id > first) body[used++] = ',';
        used += write_item(body + used, id);
    }
    body[used++] = ']';
    body[used++] = '}';
    return used;
}

// Writes the answer to a request of a feed or its state. Returns its length; 0 for 404.
static size_t feed_answer(const char *path) {
    if (strncmp(path, "/state", 6) == 0) {
        feed_more = parameter(path, "more=", feed_more);
        return (size_t)snprintf(body, sizeof body, "{\"requests\":%ld,\"answered_us\":%.0f}", feed_requests,
                                feed_answered_us);
    }
    long page = parameter(path, "page=", 1), since = parameter(path, "since=", 0), total = parameter(path, "total=", 0);
    if (page < 1 || page > FEED_MAX || since < 0 || since > FEED_MAX || total < 0 || total > FEED_MAX) return 0;
    size_t length = feed_body(page, since, total + feed_more);
    feed_requests++;
    feed_answered_us = now_us();
    return length;
}

// Writes an array of the items in a list such as "1,2,3". Returns 0 for an invalid or too long list.
static size_t many_body(const char *ids) {
    size_t used = 0;
    body[used++] = '[';
    for (;;) {
        char *end = NULL;
        long id = strtol(ids, &end, 10);
        if (end == ids || id < 1 || used + ITEM_MAX + 2 > sizeof body) return 0;
        if (used > 1) body[used++] = ',';
        used += write_item(body + used, id);
        if (*end == 0) break;
        if (*end != ',') return 0;
        ids = end + 1;
    }
    body[used++] = ']';
    return used;
}

// Writes the items of a page as one item.
static size_t sheet_body(long page) {
    char start[64];
    size_t length = (size_t)snprintf(start, sizeof start, "{\"id\":%ld,\"rows\":", page);
    size_t used = list_body(page);
    char *rows = memchr(body, '[', used);
    size_t left = used - (size_t)(rows - body);
    memmove(body + length, rows, left);
    memcpy(body, start, length);
    return length + left;
}

// Writes the body for a path to `body`. Returns its length; 0 for 404.
static size_t body_for(const char *path) {
    static const char prefix[] = "/api/character", feed[] = "/api/feed";
    if (strncmp(path, feed, sizeof feed - 1) == 0) return feed_answer(path + sizeof feed - 1);
    if (strncmp(path, prefix, sizeof prefix - 1) != 0) return 0;
    path += sizeof prefix - 1;
    if (*path == 0) return list_body(1);
    if (*path == '?') {
        long page = parameter(path, "page=", 1);
        return page < 1 || page > PAGES ? 0 : list_body(page);
    }
    if (*path != '/') return 0;
    path++;
    if (strncmp(path, "sheet/", 6) == 0) {
        long page = strtol(path + 6, NULL, 10);
        return page < 1 || page > PAGES ? 0 : sheet_body(page);
    }
    if (strchr(path, ',')) return many_body(path);
    char *end = NULL;
    long id = strtol(path, &end, 10);
    return end == path || *end != 0 || id < 1 ? 0 : write_item(body, id);
}

// Answers the request whose head starts at `head` and ends with a zero byte, which has replaced its last line break.
static void answer(struct client *client, char *head) {
    int status = 200;
    size_t length = 0;
    if (strncmp(head, "GET ", 4) != 0) {
        status = 405;
    } else {
        char *path = head + 4;
        path[strcspn(path, " \r\n")] = 0;
        length = body_for(path);
        if (length == 0) status = 404;
    }
    if (status != 200) length = (size_t)snprintf(body, sizeof body, "{\"error\":\"There is nothing here.\"}");
    size_t room = OUTPUT_MAX - client->length;
    if (room < length + 256) return;
    client->length += (size_t)snprintf(
        client->output + client->length, room,
        "HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %zu\r\n\r\n", status,
        status == 200 ? "OK" : status == 404 ? "Not Found" : "Method Not Allowed", length);
    memcpy(client->output + client->length, body, length);
    client->length += length;
}

// Sends the queued bytes. Returns 0 if the connection stays open.
static int flush(struct client *client) {
    while (client->sent < client->length) {
        ssize_t sent = send(client->fd, client->output + client->sent, client->length - client->sent, 0);
        if (sent < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
        client->sent += (size_t)sent;
    }
    client->sent = client->length = 0;
    return 0;
}

// Reads the available bytes and answers each complete request. Returns 0 if the connection stays open.
static int receive(struct client *client) {
    ssize_t got = recv(client->fd, client->input + client->have, sizeof client->input - 1 - client->have, 0);
    if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (got == 0) return -1;
    client->have += (size_t)got;
    char *at = client->input, *end = client->input + client->have;
    const char *stop;
    while ((stop = find_text(at, end, "\r\n\r\n"))) {
        char *head = at;
        at += stop - at;
        *at = 0;
        at += 4;
        answer(client, head);
    }
    client->have = (size_t)(end - at);
    if (client->have == sizeof client->input - 1) return -1;
    memmove(client->input, at, client->have);
    return flush(client);
}

static void leave(size_t index) {
    close(clients[index].fd);
    free(clients[index].output);
    clients[index] = clients[--client_count];
}

static void accept_all(int listener) {
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0) return;
        if (client_count == CLIENTS_MAX) {
            close(fd);
            continue;
        }
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        fcntl(fd, F_SETFL, O_NONBLOCK);
        struct client *client = &clients[client_count++];
        client->fd = fd;
        client->have = client->length = client->sent = 0;
        client->output = allocate(OUTPUT_MAX);
    }
}

static int listen_on_loopback(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 128) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0) {
        perror("upstream");
        exit(1);
    }
    fcntl(listener, F_SETFL, O_NONBLOCK);
    printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    int listener = listen_on_loopback();
    static struct pollfd polled[CLIENTS_MAX + 2];
    for (;;) {
        polled[0] = (struct pollfd){.fd = 0, .events = POLLIN};
        polled[1] = (struct pollfd){.fd = listener, .events = POLLIN};
        size_t count = client_count;
        for (size_t index = 0; index < count; index++) {
            short events = clients[index].length > 0 ? POLLOUT : POLLIN;
            polled[index + 2] = (struct pollfd){.fd = clients[index].fd, .events = events};
        }
        if (poll(polled, (nfds_t)(count + 2), -1) < 0 && errno != EINTR) return 1;
        if (polled[0].revents) {
            char ignored[256];
            if (read(0, ignored, sizeof ignored) <= 0) return 0;
        }
        // The order is reversed: the last client, which has been handled already, takes the index of a closed client.
        for (size_t index = count; index-- > 0;) {
            short events = polled[index + 2].revents;
            if (events == 0) continue;
            int alive = events & POLLOUT ? flush(&clients[index]) : receive(&clients[index]);
            if (alive < 0) leave(index);
        }
        if (polled[1].revents) accept_all(listener);
    }
}
