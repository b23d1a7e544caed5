import httpbin
import serve

serve.wsgi(httpbin.app)
