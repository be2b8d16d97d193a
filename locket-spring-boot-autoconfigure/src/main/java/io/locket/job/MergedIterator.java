package io.locket.job;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

/**
 * What several iterators have, each in order, in one order.
 *
 * @param <T> the type of what they have
 */
final class MergedIterator<T> implements Iterator<T> {

	private final PriorityQueue<Source<T>> sources;

	/**
	 * What has given the last element, and is not asked for another before it is needed.
	 */
	private @Nullable Iterator<T> last;

	MergedIterator(List<Iterator<T>> sources, Comparator<T> order) {
		this.sources = new PriorityQueue<>(Comparator.comparing(Source::first, order));
		sources.forEach(this::add);
	}

	private void add(Iterator<T> source) {
		if (source.hasNext()) {
			this.sources.add(new Source<>(source.next(), source));
		}
	}

	@Override
	public boolean hasNext() {
		if (this.last != null) {
			add(this.last);
			this.last = null;
		}
		return !this.sources.isEmpty();
	}

	@Override
	public T next() {
		if (!hasNext()) {
			throw new NoSuchElementException();
		}
		Source<T> source = this.sources.remove();
		this.last = source.rest();
		return source.first();
	}

	private record Source<T>(T first, Iterator<T> rest) {

	}

}
