// SPDX-License-Identifier: Apache-2.0
// Search in the built site. mkdocs searches in a worker that fetches the index, which browsers refuse for pages that were opened
// from a file. Here the index comes as a script (search/search_index.js, made by scripts/build-docs), so that both work.
(function () {
  'use strict';
  var input = document.getElementById('mkdocs-search-query');
  var results = document.getElementById('mkdocs-search-results');
  if (!input || !results) return;  // not the search page

  var most_results = 50;

  function load(name, then) {
    var script = document.createElement('script');
    script.src = base_url + '/search/' + name;
    script.onload = then;
    script.onerror = function () { show('<p>The search index could not be loaded.</p>'); };
    document.head.appendChild(script);
  }

  function show(html) { results.innerHTML = html; }

  function escaped(text) {
    return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  }

  // The text around the first word of the query.
  function excerpt(text, query) {
    var words = query.toLowerCase().split(/\s+/);
    var lower = text.toLowerCase();
    var at = -1;
    for (var i = 0; i < words.length && at < 0; ++i) at = lower.indexOf(words[i]);
    var start = Math.max(0, at - 80);
    return (start > 0 ? '...' : '') + text.substr(start, 240) + (start + 240 < text.length ? '...' : '');
  }

  function make_index(docs) {
    return lunr(function () {
      this.ref('location');
      this.field('title', {boost: 10});
      this.field('text');
      var builder = this;
      docs.forEach(function (doc) { builder.add(doc); });
    });
  }

  function start() {
    var docs = window.filigree_search_index.docs;
    var by_location = {};
    docs.forEach(function (doc) { by_location[doc.location] = doc; });
    var index = make_index(docs);

    function search() {
      var query = input.value.trim();
      if (query.length < 2) return show('');
      var hits = [];
      try {
        hits = index.search(query);
        if (hits.length === 0) hits = index.search(query + '*');  // the beginning of a word
      } catch (error) {  // not finished yet, such as 'title:'
        return;
      }
      if (hits.length === 0) return show('<p>No results found</p>');
      show(hits.slice(0, most_results).map(function (hit) {
        var doc = by_location[hit.ref];
        return '<article><h3><a href="' + escaped(base_url + '/' + doc.location) + '">' + escaped(doc.title) + '</a></h3><p>' +
               escaped(excerpt(doc.text, query)) + '</p></article>';
      }).join(''));
    }

    var term = new URLSearchParams(window.location.search).get('q');
    if (term) input.value = term;
    input.addEventListener('input', search);
    input.form && input.form.addEventListener('submit', function (event) { event.preventDefault(); });
    search();
  }

  load('lunr.js', function () { load('search_index.js', start); });
})();
