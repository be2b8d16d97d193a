package io.locket.job.administration;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

/**
 * Iterator over the elements of several ordered iterators, in one order.
 *
 * @param <T> the type of the elements
 */
final class MergedIterator<T> implements Iterator<T> {

	private final PriorityQueue<Source<T>> sources;

	/**
	 * Iterator of the last element. Its next element is fetched only when it is needed.
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
