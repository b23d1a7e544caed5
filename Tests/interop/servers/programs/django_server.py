"""Books served by Django REST framework: with each of its paginations, below their shelves, throttled, and as JSON:API.
Notes that clients change, with the filter `updated__gte` of django-filter."""

import pathlib
import sys

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="for the tests alone",
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(pathlib.Path(sys.argv[1]) / "django.sqlite"),
            "OPTIONS": {"init_command": "PRAGMA synchronous=OFF"},
        }
    },
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django_filters",
        "rest_framework",
        "rest_framework.authtoken",
        "rest_framework_json_api",
    ],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    LOGGING_CONFIG=None,
    REST_FRAMEWORK={
        "DEFAULT_THROTTLE_RATES": {"slow": "6/day"},
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    },
)
django.setup()

import serve  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import include, path  # noqa: E402
from django_filters.rest_framework import DjangoFilterBackend  # noqa: E402
from rest_framework import exceptions, filters, pagination, response, routers, serializers, viewsets  # noqa: E402
from rest_framework.authentication import BasicAuthentication, TokenAuthentication  # noqa: E402
from rest_framework.authtoken.models import Token  # noqa: E402
from rest_framework.permissions import IsAuthenticated  # noqa: E402
from rest_framework.throttling import ScopedRateThrottle  # noqa: E402
from rest_framework_json_api import exceptions as api_errors  # noqa: E402
from rest_framework_json_api import serializers as api_serializers  # noqa: E402
from rest_framework_json_api import pagination as api_pagination, parsers, renderers, views  # noqa: E402
from rest_framework_nested.routers import NestedSimpleRouter  # noqa: E402
from world import AUTHORS, BOOKS, SHELVES  # noqa: E402


class Shelf(models.Model):
    name = models.CharField(max_length=50, primary_key=True)

    class Meta:
        app_label = "library"


class Author(models.Model):
    name = models.CharField(max_length=50)

    class Meta:
        app_label = "library"


class Book(models.Model):
    title = models.CharField(max_length=100)
    year = models.IntegerField()
    shelf = models.ForeignKey(Shelf, models.CASCADE, related_name="books")
    author = models.ForeignKey(Author, models.CASCADE, related_name="books")

    class Meta:
        app_label = "library"


class Note(models.Model):
    key = models.CharField(max_length=20, primary_key=True)
    title = models.TextField()
    number = models.BigIntegerField()
    updated = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        app_label = "library"


class NoteSerializer(serializers.ModelSerializer):
    class Meta:
        model = Note
        fields = ["key", "title", "number", "updated"]


class BookSerializer(serializers.ModelSerializer):
    class Meta:
        model = Book
        fields = ["id", "title", "year", "shelf", "author"]


class ShelfSerializer(serializers.ModelSerializer):
    class Meta:
        model = Shelf
        fields = ["name"]


class Numbered(pagination.PageNumberPagination):
    page_size = 10
    page_size_query_param = "page_size"


class Offsets(pagination.LimitOffsetPagination):
    default_limit = 10


class Cursors(pagination.CursorPagination):
    page_size = 10
    ordering = "-year"  # Years are not unique, so a cursor also counts the books of one year.


class Links(pagination.PageNumberPagination):
    """The Link header pagination of the framework's documentation."""

    page_size = 10

    def get_paginated_response(self, data):
        links = [
            f'<{url}>; rel="{name}"'
            for name, url in (("next", self.get_next_link()), ("prev", self.get_previous_link()))
            if url
        ]
        headers = {"X-Total-Count": str(self.page.paginator.count), "X-Pages": str(self.page.paginator.num_pages)}
        return response.Response(data, headers={**headers, **({"Link": ", ".join(links)} if links else {})})


def found(query, books):
    """Returns the books that match a query."""
    if "ids" in query:
        books = books.filter(pk__in=query["ids"].split(","))
    if "shelf" in query:
        books = books.filter(shelf=query["shelf"])
    if "year" in query:
        if not query["year"].isdigit():
            raise exceptions.ValidationError({"year": ["Enter a whole number."]})
        books = books.filter(year__gte=query["year"])
    return books


class Books(viewsets.ReadOnlyModelViewSet):
    queryset = Book.objects.order_by("id")
    serializer_class = BookSerializer

    def get_queryset(self):
        books = super().get_queryset()
        if "shelf_pk" in self.kwargs:
            books = books.filter(shelf=self.kwargs["shelf_pk"])
        return found(self.request.query_params, books)


def of(pagination_class, base=Books, **more):
    return type(f"{pagination_class.__name__}{base.__name__}", (base,), {"pagination_class": pagination_class, **more})


class Few(pagination.PageNumberPagination):
    page_size = 5


class Notes(viewsets.ModelViewSet):
    queryset = Note.objects.order_by("key")
    serializer_class = NoteSerializer
    pagination_class = Few
    filter_backends = [DjangoFilterBackend, filters.OrderingFilter]
    filterset_fields = {"updated": ["gte"]}
    ordering_fields = ["updated"]


class Shelves(viewsets.ReadOnlyModelViewSet):
    queryset = Shelf.objects.order_by("name")
    serializer_class = ShelfSerializer
    lookup_value_regex = "[^/]+"


class ApiBookSerializer(api_serializers.ModelSerializer):
    class Meta:
        model = Book
        fields = ["title", "year", "shelf", "author"]
        resource_name = "books"

    class JSONAPIMeta:
        resource_name = "books"


class ApiBooks(views.ReadOnlyModelViewSet):
    queryset = Book.objects.order_by("id")
    serializer_class = ApiBookSerializer
    renderer_classes = [renderers.JSONRenderer]
    parser_classes = [parsers.JSONParser]
    pagination_class = api_pagination.JsonApiPageNumberPagination
    resource_name = "books"

    def get_queryset(self):
        return found(self.request.query_params, super().get_queryset())

    def get_exception_handler(self):
        return api_errors.exception_handler


router = routers.SimpleRouter()
router.register("page/books", of(Numbered), "page")
router.register("offset/books", of(Offsets), "offset")
router.register("cursor/books", of(Cursors), "cursor")
router.register("link/books", of(Links), "link")
router.register("slow/books", of(Numbered, throttle_classes=[ScopedRateThrottle], throttle_scope="slow"), "slow")
private = {"authentication_classes": [TokenAuthentication], "permission_classes": [IsAuthenticated]}
router.register("private/books", of(Numbered, **private), "private")
named = {"authentication_classes": [BasicAuthentication], "permission_classes": [IsAuthenticated]}
router.register("named/books", of(Numbered, **named), "named")
router.register("notes", Notes, "note")
router.register("shelves", Shelves, "shelf")
router.register("api/books", ApiBooks, "api")
below = NestedSimpleRouter(router, "shelves", lookup="shelf")
below.register("books", of(Numbered), "shelf-books")
urlpatterns = [path("", include(router.urls)), path("", include(below.urls))]

call_command("migrate", verbosity=0)
with connection.schema_editor() as editor:
    for model in (Shelf, Author, Book, Note):
        editor.create_model(model)
Shelf.objects.bulk_create(Shelf(name=name) for name in SHELVES)
Author.objects.bulk_create(Author(**author) for author in AUTHORS)
Book.objects.bulk_create(
    Book(id=book["id"], title=book["title"], year=book["year"], shelf_id=book["shelf"], author_id=book["author"])
    for book in BOOKS
)
user = User.objects.create_user("somebody", password="django-password")
Token.objects.create(user=user, key="0123456789abcdef0123456789abcdef01234567")
serve.wsgi(get_wsgi_application())
